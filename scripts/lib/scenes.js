// Draws small landscapes for pictures of the screens, so that nobody's photo is needed. Read by screens.py, which puts it
// into a page.
const SCENES = {
  sea: { sky: ["#fac48c", "#f6966e", "#b46e78"], ground: ["#3c506e", "#18243c"], horizon: 0.51, sun: ["#ffecbe", 0.5, 0.42, 0.07] },
  hills: { sky: ["#9cc4e4", "#e2e6da"], ground: ["#6e9a70", "#2c5230"], horizon: 0.5, waves: 4, sun: ["#fffbe6", 0.74, 0.2, 0.05] },
  night: { sky: ["#0e1226", "#3c2c50", "#6e4450"], ground: ["#15151f", "#0c0c12"], horizon: 0.82, houses: true, sun: ["#f0e8d2", 0.75, 0.16, 0.05] },
  window: { sky: ["#3a424e", "#22242c"], ground: ["#8a6e58", "#5c4636"], horizon: 0.86, pane: true },
  snow: { sky: ["#becce0", "#dee4ec"], ground: ["#eceef2", "#f8f8fa"], horizon: 0.56, trees: true },
  table: { sky: ["#c89a70", "#a0704a"], ground: ["#a0704a", "#8a5c3c"], horizon: 0.5, cup: true },
};

function random(seed) {
  return () => (seed = (seed * 16807) % 2147483647) / 2147483647;
}

function gradient(context, from, to, colours) {
  const fill = context.createLinearGradient(0, from, 0, to);
  colours.forEach((colour, at) => fill.addColorStop(at / (colours.length - 1), colour));
  return fill;
}

function disc(context, colour, x, y, radius) {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fill();
}

async function draw(name, [width, height] = name === "hills" ? [1600, 1200] : [1200, 1600]) {
  const scene = SCENES[name];
  const canvas = new OffscreenCanvas(width, height), context = canvas.getContext("2d"), chance = random(7);
  const line = scene.horizon * height;
  context.fillStyle = gradient(context, 0, line, scene.sky);
  context.fillRect(0, 0, width, line + 1);
  if (scene.sun) disc(context, scene.sun[0], scene.sun[1] * width, scene.sun[2] * height, scene.sun[3] * width);
  context.fillStyle = gradient(context, line, height, scene.ground);
  context.fillRect(0, line, width, height);
  for (let wave = 0; wave < (scene.waves ?? 0); wave++) {
    context.fillStyle = `rgb(${112 - wave * 22} ${150 - wave * 22} ${118 - wave * 20})`;
    context.beginPath();
    context.moveTo(0, height);
    for (let x = 0; x <= width; x += 10) {
      context.lineTo(x, line - 40 + wave * 150 + 60 * Math.sin(x / 190 + wave * 2) + 30 * Math.sin(x / 80 + wave));
    }
    context.lineTo(width, height);
    context.fill();
  }
  if (name === "sea") {
    for (let glint = 0; glint < 240; glint++) {
      const depth = chance() ** 1.6, y = line + 8 + depth * (height - line);
      context.fillStyle = `rgb(250 ${150 + chance() * 60} 120 / 70%)`;
      context.fillRect(width / 2 + (chance() - 0.5) * (120 + depth * 900), y, 20 + chance() * 90, 2 + depth * 3);
    }
  }
  for (let house = 0; scene.houses && house < 24; house++) {
    const x = house * 50, tall = 220 + chance() * 420;
    context.fillStyle = "#15151f";
    context.fillRect(x, height - tall, 46, tall);
    context.fillStyle = "#face78";
    for (let y = height - tall + 20; y < height; y += 34) for (let w = 6; w < 40; w += 14) if (chance() < 0.35) context.fillRect(x + w, y, 7, 14);
  }
  for (let tree = 0; scene.trees && tree < 14; tree++) {
    const x = chance() * width, foot = line - 20 + chance() * 160, tall = 240 + chance() * 240;
    context.fillStyle = `rgb(${70 + chance() * 40} ${96 + chance() * 30} 104)`;
    context.beginPath();
    context.moveTo(x, foot - tall);
    context.lineTo(x - tall * 0.26, foot);
    context.lineTo(x + tall * 0.26, foot);
    context.fill();
  }
  for (let flake = 0; scene.trees && flake < 380; flake++) {
    disc(context, "#fcfcfc", chance() * width, chance() * height, 2 + chance() * 5);
  }
  if (scene.pane) {
    context.filter = "blur(14px)";
    context.fillStyle = gradient(context, 200, 1240, ["#d6e4ec", "#cfdcd2", "#96b496"]);
    context.fillRect(240, 200, 720, 1040);
    disc(context, "#60845c", 480, 980, 190);
    disc(context, "#789662", 760, 900, 220);
    context.filter = "none";
    context.fillStyle = "#463c34";
    context.fillRect(585, 200, 30, 1040);
    context.fillRect(240, 700, 720, 24);
    context.fillRect(200, 1240, 800, 50);
    disc(context, "#c45c3c", 450, 1175, 70);
  }
  if (scene.cup) {
    context.filter = "blur(24px)";
    disc(context, "#4a301e", width / 2 + 40, height / 2 + 40, 330);
    context.filter = "none";
    for (const [colour, radius] of [["#f4f0e8", 320], ["#e8e2d6", 260], ["#5c3822", 200], ["#7e5030", 172], ["#d6b284", 96], ["#eed6b0", 54]]) disc(context, colour, width / 2, height / 2, radius);
  }
  return await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
}
