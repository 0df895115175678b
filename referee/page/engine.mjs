// What stands behind the table: an engine answers calls (a name, an object in, an object out) and names those it offers.
// The program on this machine is one (`calls`), the page itself another (`desk`, with the rules that it has: `light`).

/** What a call was refused with: a code, words, what to do next. */
export class Refused extends Error {
  constructor({ code = "gone", message = "", next = "", clause = "" }) {
    super(message);
    Object.assign(this, { code, next, clause });
  }
}

/** Whether the program that served this page has ended. */
export const isGone = (error) => error instanceof Refused && error.code === "gone";
