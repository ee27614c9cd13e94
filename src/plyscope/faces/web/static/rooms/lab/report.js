// The report card: a heuristic against the truth, depth by depth.
import { boardGrid } from "../../bench/boards.js";
import { heading, html, numberCell, paragraph, table } from "../../shell/dom.js";
import { depthChart } from "./pictures.js";
import { Task } from "./task.js";

/** @param {import("./room.js").LabRoom} room */
export const reportCard = (room) =>
  new Task(room, "report", {
    label: "Report card",
    about:
      "How often a search of 1, 2, 3, … plies with the heuristic chooses a move that loses value, " +
      "compared with a search that has no heuristic. It tests all positions of a small game, " +
      "or a sample of a larger one.",
    numbers: {
      depths: ["Depths", 6, { min: 1, max: 8 }],
      samples: ["Samples", "", { min: 10, max: 2000, isOptional: true, placeholder: "as fits" }],
      seed: ["Seed", 0, { min: 0 }],
      seconds: ["Seconds", 30, { min: 1, max: 60 }],
    },
    asked: (numbers) => ({ ...numbers, heuristic: room.bench.asked }),
    draw: ({ card, title, rows, notes, boards, drawing }) => {
      const lines = rows.filter((row) => row !== null);
      const numbers = lines.map(([label, ...cells]) => [label, ...cells.map(numberCell)]);
      return [
        html("h3", {}, `${card.heuristic} on ${title}`),
        depthChart(card.depths),
        table([], numbers, null, { class: "report-card" }),
        notes.map(paragraph),
        boards.length > 0 && [
          heading("Most wrong one ply ahead"),
          boardGrid(boards, drawing, (position) => room.bench.open(position)),
        ],
      ].flat();
    },
  });
