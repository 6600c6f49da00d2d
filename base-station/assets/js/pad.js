// A pad in the browser: paints the display pixel for pixel and presses its keys.

const display = document.getElementById("display");
const pen = display.getContext("2d");
const { width, height } = display;
const address = `/demo/pads/${display.dataset.table}`;

// The display is asked for this often, in milliseconds; keys are shown at once.
const LOOK_EVERY = 250;

const INK = [16, 24, 32];
const GLASS = [214, 222, 206];

function paint(bytes) {
  const image = pen.createImageData(width, height);
  for (let at = 0; at < width * height; at += 1) {
    const isInk = (bytes[at >> 3] >> (7 - (at & 7))) & 1;
    image.data.set(isInk ? INK : GLASS, at * 4);
    image.data[at * 4 + 3] = 255;
  }
  pen.putImageData(image, 0, 0);
}

async function look() {
  try {
    const answer = await fetch(`${address}/pixels`);
    if (answer.ok) paint(new Uint8Array(await answer.arrayBuffer()));
  } catch {
    // The demonstration has ended; what was shown last stays.
  }
}

async function press(key) {
  await fetch(`${address}/keys/${key}`, { method: "POST", headers: { "x-byestand-pad": "1" } });
  await look();
}

document.querySelector(".keypad").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) press(button.dataset.key);
});

// The keys of a keyboard that mean the same; the numbers are places on the keypad.
const KEYBOARD = {
  1: 0,
  2: 1,
  3: 2,
  4: 6,
  5: 7,
  6: 8,
  7: 12,
  8: 13,
  9: 14,
  0: 19,
  "+": 18,
  "-": 20,
  "=": 24,
  n: 4,
  e: 10,
  s: 16,
  w: 22,
  Delete: 25,
  Backspace: 26,
  ArrowUp: 28,
  ArrowLeft: 31,
  ArrowRight: 32,
  ArrowDown: 34,
  Enter: 33,
};

document.addEventListener("keydown", (event) => {
  const onButton = event.target instanceof HTMLButtonElement && event.key === "Enter";
  if (event.key in KEYBOARD && !onButton && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    press(KEYBOARD[event.key]);
  }
});

await look();
setInterval(look, LOOK_EVERY);
