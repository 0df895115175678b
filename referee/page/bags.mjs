// What lies in the bags of our four games before the first draw, from the terms of an offer: PROTOCOL.md, section 9.
// It is all that a verifier without rules must know about a game.

const times = (face, count) => Array(count).fill(face);

const BAGS = new Map([
  ["mark", () => ({})],
  [
    "schwarzer-freitag",
    ({ edition, seats }) => {
      const colours = ["blue", "green", "orange", "red", "yellow"];
      return { bag: colours.flatMap((colour) => times(colour, edition.bag_base + seats)) };
    },
  ],
  [
    "schwarzmarkt",
    ({ edition, options }) => {
      const goods = options.expert ? edition.goods_expert : edition.goods;
      return {
        goods: Object.entries(goods).flatMap(([good, count]) => times(good, count)),
        cards: [...edition.offers.map((_, at) => `offer-${at + 1}`), ...edition.events],
      };
    },
  ],
  [
    "weg-zum-erfolg",
    ({ edition, options }) => {
      const pile = (cards) => cards.flatMap((card) => times(card.id, card.count));
      const chips = edition.chips.map(String);
      const face_down = options.neue_ziele ? chips : options.zufallsziele ? chips.slice(1, -1) : null;
      return {
        chance: pile(edition.chance),
        success: pile(edition.success),
        ...(face_down && { chips: face_down }),
      };
    },
  ],
]);

const HANDS = new Map([
  ["mark", []],
  ["schwarzer-freitag", ["hand"]],
  ["schwarzmarkt", ["goods", "cards"]],
  ["weg-zum-erfolg", ["chip"]],
]);

/** The names of the hands; null for a game that is not known here. */
export const handsOf = (offer) => HANDS.get(offer.game) ?? null;

/** Container -> its faces; null for a game that is not known here, or terms that do not fit it. */
export function bagsOf(offer) {
  try {
    const bags = BAGS.get(offer.game)?.(offer) ?? null;
    const plain = bags && Object.values(bags).every((faces) => faces.every((face) => typeof face === "string"));
    return plain ? bags : null;
  } catch {
    return null;
  }
}
