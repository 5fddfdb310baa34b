// The picture as a file: SVG with its colours written into it, or PNG.

const SVG = "http://www.w3.org/2000/svg";
const STYLE = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity"];
const TEXT_STYLE = ["font-family", "font-size", "font-style", "font-weight", "text-anchor"];

// A copy of the svg that looks the same without the page's style sheet.
function standalone(svg) {
  const copy = svg.cloneNode(true);
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, k) => {
    const style = getComputedStyle(originals[k]);
    const names = node.tagName === "text" ? [...STYLE, ...TEXT_STYLE] : STYLE;
    for (const name of names) node.style.setProperty(name, style.getPropertyValue(name));
    if (style.display === "none" || style.visibility === "hidden") node.setAttribute("visibility", "hidden");
    for (const name of ["tabindex", "role", "class"]) node.removeAttribute(name);
  });
  const { width, height } = svg.viewBox.baseVal;
  const paper = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({
    width,
    height,
    fill: getComputedStyle(svg).getPropertyValue("--pla-paper"),
  }))
    paper.setAttribute(name, value);
  copy.prepend(paper);
  // Where there are many points, they are on a canvas beside the svg.
  const many = svg.parentElement.querySelector("canvas:not([hidden])");
  if (many) {
    const image = document.createElementNS(SVG, "image");
    for (const [name, value] of Object.entries({ width, height, href: many.toDataURL() }))
      image.setAttribute(name, value);
    copy.append(image);
  }
  for (const [name, value] of Object.entries({ xmlns: SVG, width, height })) copy.setAttribute(name, value);
  return new XMLSerializer().serializeToString(copy);
}

function save(address, name) {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

const address = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;

export const saveSvg = (svg, name) => save(address(svg), `${name}.svg`);

export function savePng(svg, name) {
  const image = new Image();
  image.addEventListener("load", () => {
    const canvas = document.createElement("canvas");
    const { width, height } = svg.viewBox.baseVal;
    [canvas.width, canvas.height] = [2 * width, 2 * height];
    const pen = canvas.getContext("2d");
    pen.scale(2, 2);
    pen.drawImage(image, 0, 0, width, height);
    save(canvas.toDataURL("image/png"), `${name}.png`);
  });
  image.src = address(svg);
}
