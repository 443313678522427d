// Boxes are [x0, y0, x1, y1], maps 3x3 in row order. "Local" is a document's own viewport in its
// CSS px, "top" the main frame's viewport in CSS px: the frame of everything that is published.

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function apply(m, x, y) {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
}

function compose(a, b) {
  const out = [];
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++)
      out.push(a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c]);
  return out;
}

function inverse(m) {
  const [a, b, c, d, e, f, g, h, i] = m;
  const A = e * i - f * h, B = f * g - d * i, C = d * h - e * g;
  const det = a * A + b * B + c * C;
  return [
    A, c * h - b * i, b * f - c * e, B, a * i - c * g, c * d - a * f, C, b * g - a * h, a * e - b * d,
  ].map((v) => v / det);
}

// The projective map of the unit square onto a quad [x0,y0, x1,y1, x2,y2, x3,y3] (clockwise).
function fromSquare(q) {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = q;
  const dx1 = x1 - x2, dx2 = x3 - x2, sx = x0 - x1 + x2 - x3;
  const dy1 = y1 - y2, dy2 = y3 - y2, sy = y0 - y1 + y2 - y3;
  const det = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / det, h = (dx1 * sy - sx * dy1) / det;
  return [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h, 1];
}

const meet = (a, b) => [
  Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3]),
];
const width = (b) => Math.max(0, b[2] - b[0]);
const height = (b) => Math.max(0, b[3] - b[1]);
const area = (b) => width(b) * height(b);
const join = (a, b) => [
  Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3]),
];
const boxOf = (r) => [r.left, r.top, r.right, r.bottom];
const quadOf = (b) => [b[0], b[1], b[2], b[1], b[2], b[3], b[0], b[3]];

function boundsOf(quad) {
  const xs = [quad[0], quad[2], quad[4], quad[6]], ys = [quad[1], quad[3], quad[5], quad[7]];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function mapBox(m, b) {
  if (!area(b)) return [0, 0, 0, 0];
  if (m === IDENTITY) return b;
  return boundsOf([[0, 1], [2, 1], [2, 3], [0, 3]].flatMap(([i, j]) => apply(m, b[i], b[j])));
}

// A polygon (flat list) cut by a box, one side after the other (Sutherland and Hodgman).
function cut(polygon, box) {
  let points = [];
  for (let i = 0; i < polygon.length; i += 2) points.push([polygon[i], polygon[i + 1]]);
  for (let side = 0; side < 4; side++) {
    const axis = side % 2, sign = side < 2 ? 1 : -1, bound = box[side];
    const inside = (p) => sign * (p[axis] - bound) >= 0;
    const kept = [];
    points.forEach((p, i) => {
      const q = points[(i + 1) % points.length];
      if (inside(p)) kept.push(p);
      if (inside(p) !== inside(q)) {
        const t = (bound - p[axis]) / (q[axis] - p[axis]);
        kept.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
      }
    });
    points = kept;
  }
  return points.flat();
}

function polygonArea(p) {
  let twice = 0;
  for (let i = 0; i < p.length; i += 2) {
    const j = (i + 2) % p.length;
    twice += p[i] * p[j + 1] - p[j] * p[i + 1];
  }
  return Math.abs(twice) / 2;
}

function polygonBounds(p) {
  let box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < p.length; i += 2) box = join(box, [p[i], p[i + 1], p[i], p[i + 1]]);
  return box;
}
