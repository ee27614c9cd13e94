// The report card: a heuristic against the truth, depth by depth.
import { boardGrid } from "../../bench/boards.js";
import { heading, help, html, paragraph } from "../../shell/dom.js";
import { controls, field, numberInput, numberOf } from "../../shell/forms.js";
import { depthChart } from "./pictures.js";
import { Task } from "./task.js";

const DEPTHS = { least: 1, usual: 6, most: 8 };
const MOST_SAMPLES = 2000;

export class Report {
  /** @param {import("./room.js").LabRoom} room */
  constructor(room) {
    const depths = numberInput(DEPTHS.usual, { min: DEPTHS.least, max: DEPTHS.most, step: 1 });
    const samples = numberInput("", {
      min: 10,
      max: MOST_SAMPLES,
      step: 10,
      isOptional: true,
      placeholder: "as fits",
    });
    const seed = numberInput(0, { min: 0, step: 1 });
    const seconds = numberInput(30, { min: 1, max: 60, step: 1 });
    this.task = new Task(
      room,
      "report",
      "Report card",
      () => ({
        game: room.game.shown.game,
        heuristic: room.bench.asked,
        depths: numberOf(depths),
        samples: numberOf(samples) || null,
        seed: numberOf(seed),
        seconds: numberOf(seconds),
      }),
      (found) => this.draw(found, room),
    );
    this.parts = [
      help(
        "What the heuristic is worth against the truth: how often a search of 1, 2, 3, … plies " +
          "chooses a move that loses value, beside a search without opinion. It is asked about all " +
          "positions of a small game, else about a sample.",
      ),
      controls(
        field("Depths", depths),
        field("Samples", samples),
        field("Seed", seed),
        field("Seconds", seconds),
      ),
      this.task.element,
    ];
  }

  /** @param {CardFound} found @param {import("./room.js").LabRoom} room @returns {Children} */
  draw({ card, title, rows, notes, boards }, room) {
    const lines = rows
      .filter((row) => row !== null)
      .map(([label, ...cells]) =>
        html(
          "tr",
          {},
          html("td", {}, label),
          ...cells.map((cell) => html("td", { class: "number" }, cell)),
        ),
      );
    const worst = boards.length
      ? [
          heading("Most wrong one ply ahead"),
          boardGrid(boards, room.game.shown.drawing, (position) => room.open(position)),
        ]
      : [];
    return [
      html("h3", {}, `${card.heuristic} on ${title}`),
      depthChart(card.depths),
      html("table", { class: "report-card" }, html("tbody", {}, lines)),
      ...notes.map((note) => paragraph(note)),
      ...worst,
    ];
  }
}
