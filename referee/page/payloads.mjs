// What a page carries beside its script: name -> SHA-256. Whoever assembles a page with rules writes it here, into the script
// that the policy of the page pins.

export const PAYLOADS = {};
