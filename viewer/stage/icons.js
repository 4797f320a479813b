// Signs of buttons, as paths of 16 by 16.

export const ICONS = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z",
  back: "M3 3h2v10H3zM13 3v10L6 8z",
  on: "M11 3h2v10h-2zM3 3v10l7-5z",
  find: "M6.8 1.5a5.3 5.3 0 1 0 3.1 9.6l3.5 3.4 1.3-1.3-3.5-3.5A5.3 5.3 0 0 0 6.8 1.5zm0 1.8a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z",
  closer: "M7 2.5h2V7h4.5v2H9v4.5H7V9H2.5V7H7z",
  farther: "M2.5 7h11v2h-11z",
  whole: "M2 2h5v1.8H3.8V7H2zM9 2h5v5h-1.8V3.8H9zM2 9h1.8v3.2H7V14H2zM12.2 9H14v5H9v-1.8h3.2z",
  tiles: "M2 2h4v4H2zM10 2h4v4h-4zM6 6h4v4H6zM2 10h4v4H2zM10 10h4v4h-4z",
  sun: "M8 4.6a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8zM7.2 1h1.6v2.2H7.2zM7.2 12.8h1.6V15H7.2zM1 7.2h2.2v1.6H1zM12.8 7.2H15v1.6h-2.2zM2.5 3.6l1.1-1.1 1.6 1.6-1.1 1.1zM10.8 11.9l1.1-1.1 1.6 1.6-1.1 1.1zM12.4 2.5l1.1 1.1-1.6 1.6-1.1-1.1zM4.1 10.8l1.1 1.1-1.6 1.6-1.1-1.1z",
  moon: "M9.8 1.6A6.6 6.6 0 1 0 14.4 9.9 5.6 5.6 0 0 1 9.8 1.6z",
  up: "M8 5l5.5 6h-11z",
  down: "M8 11l5.5-6h-11z",
};
