import type { MenuIcon } from '@zhugong/contract/access/menu-tree'

/**
 * Line icons of 24 x 24 in the text colour. Drawn here because a ready-made icon is a thousand bytes instead of a hundred, and ready-made
 * sets lack site objects (cranes, helmets).
 */
const drawings: Record<MenuIcon, string> = {
  home: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  building: 'M3 21h18M5 21V6l8-3v18M13 9l6 2.5V21M8 8.5h2M8 12.5h2M8 16.5h2',
  briefcase: 'M3.5 8h17v11.5h-17zM8.5 8V4.5h7V8M3.5 13h17M12 11.5v3',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.8-6 6.5-6s6.5 2.4 6.5 6M16 4.4a3.5 3.5 0 0 1 0 6.2M18 14.6c2 .9 3.5 2.9 3.5 5.4',
  roster: 'M6 3h13v18H6zM3.5 7.5H8M3.5 12H8M3.5 16.5H8M11 8h5M11 12h5M11 16h3',
  idcard: 'M3 5h18v14H3zM8.5 11.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM5.5 16c.3-1.8 1.5-2.7 3-2.7s2.7.9 3 2.7M14.5 9.5H18M14.5 13.5H18',
  helmet: 'M2.5 18h19M4.5 18v-2.5a7.5 7.5 0 0 1 15 0V18M9.5 8.4V13M14.5 8.4V13M9.5 8.4V6h5v2.4',
  records: 'M4 5.5h12M4 10.5h7M4 15.5h5M16.5 21a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM16.5 14.3v2.5l1.6 1',
  calendar: 'M4 5.5h16V20H4zM4 10h16M8 3v4M16 3v4M9 15l2.2 2.2 4.3-4.2',
  personClock:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.8-6 6.5-6M17 21a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM17 14.3v2.5l1.6 1',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5.2l3.3 2',
  crane: 'M7.5 21V4M4.5 21h6M3 8.5h18M7.5 4L3 8.5M7.5 4L21 8.5M17 8.5V14M15.2 14h3.6v3h-3.6z',
  craneAlarm: 'M6 21V4M3.5 21h5M2.5 8.5H19M6 4L2.5 8.5M6 4l13 4.5M16.5 12l4.8 8.5h-9.6zM16.5 15.2v2.3M16.5 19.2v.1',
  pit: 'M2.5 6H7v12h10V6h4.5M7 10.5h10M9.5 18v3M14.5 18v3',
  formwork: 'M3 5.5h18M5.5 5.5V20M12 5.5V20M18.5 5.5V20M5.5 10.5h13M5.5 15.5h13M3 20h18',
  camera: 'M3 7h13v10H3zM16 10.5l5-3v9l-5-3M6 20.5h7',
  lift: 'M12 3v18M4 21h16M5 11h5v7H5zM14 6h5v7h-5zM7.5 8.5V6.2M16.5 15.5v2.3',
  pile: 'M9 3h6M12 3v11M9.5 14h5v4L12 21.5 9.5 18zM3.5 8.5h5M15.5 8.5h5M10 6.5h4M10 10h4',
  wind: 'M3 8.5h10.5A2.7 2.7 0 1 0 10.8 6M3 12.5h15.3a2.7 2.7 0 1 1-2.7 2.7M3 16.5h7a2.2 2.2 0 1 1-2.2 2.2',
  bell: 'M4.5 18.5h15L18 16.5V11a6 6 0 0 0-12 0v5.5zM10 21.5h4M12 5V3',
  bars: 'M3.5 20.5h17M7 20.5v-7M12 20.5v-15M17 20.5v-10',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c2.8 2.6 4 5.6 4 9s-1.2 6.4-4 9c-2.8-2.6-4-5.6-4-9s1.2-6.4 4-9z',
  place: 'M12 21.5s-7-6.3-7-11.5a7 7 0 0 1 14 0c0 5.2-7 11.5-7 11.5zM12 6.5v4M12 13.3v.1',
  sliders: 'M4 6.5h8.5M17.5 6.5H20M15 4v5M4 12h2.5M11.5 12H20M9 9.5v5M4 17.5h8.5M17.5 17.5H20M15 15v5',
  copies: 'M8.5 8.5H20V20H8.5zM5.5 15.5H4V4h11.5v1.5M11.5 12.5h5.5M11.5 16h3.5',
  bolt: 'M13.5 2.5L5 13.5h6l-1 8 8.5-11.5h-6z',
  layers: 'M12 3l9 4.8-9 4.8-9-4.8zM3.5 12.3l8.5 4.5 8.5-4.5M3.5 16.5L12 21l8.5-4.5',
  ledger: 'M5 3.5h14v17H5zM8.5 8h7M8.5 12h7M8.5 16h4',
  plug: 'M9 2.5V8M15 2.5V8M6 8h12v3a6 6 0 0 1-12 0zM12 17v4.5',
  box: 'M12 3l8.5 4.5v9L12 21l-8.5-4.5v-9zM3.5 7.5L12 12l8.5-4.5M12 12v9M7.7 5.3l8.6 4.5',
  monitor: 'M3 4.5h18v12H3zM8.5 20.5h7M12 16.5v4M6 11h3l2-3.5 2.5 6 1.5-2.5h3',
  project: 'M3 21h18M5.5 21V11h6v10M11.5 21V4h7v17M14 8h2M14 12h2M14 16h2M8 14.5h1M8 17.5h1',
  alert: 'M12 3.5l9.5 17h-19zM12 10v5M12 17.6v.1',
  device:
    'M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1',
  team: 'M12 10.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5.5 20.5c0-4 2.7-6.5 6.5-6.5s6.5 2.5 6.5 6.5zM4 11.5a2.3 2.3 0 0 1 1.5-4.2M20 11.5a2.3 2.3 0 0 0-1.5-4.2',
}
const page = 'M6 3h8l4.5 4.5V21H6zM14 3v4.5h4.5M9 12h6.5M9 16h6.5'
const folder = 'M3 5.5h6.5l2 2.5H21v11.5H3z'

/** The icon of a menu entry by the server's name; a page or a folder for unknown names. */
export function MenuDrawing({ name, plain = 'folder' }: { name: string | undefined; plain?: 'folder' | 'page' }) {
  const drawn = Object.hasOwn(drawings, name ?? '') ? drawings[name as MenuIcon] : undefined
  return (
    <svg className="zg-drawing" viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawn ?? (plain === 'page' ? page : folder)} />
    </svg>
  )
}
