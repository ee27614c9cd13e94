"""The machine room: kernels and their machine code, what runs beside Python, the cache folder."""
