/** Colours of the dark panels, with the contrast the house measured on their ground. */
export const dark = {
  ground: '#0B1A2E',
  head: '#10253F',
  line: '#1F3F63',
  hairline: '#16304F',
  text: '#D7E9FF',
  label: '#8FB3D9',
  accent: '#35D0FF',
  fine: '#2EE6A6',
  warning: '#FFB020',
  alarm: '#FF5C5C',
  maintenance: '#B79BFF',
  stale: '#8FA0B5',
  limit: '#FF9A9A',
  limitWarning: '#FFC55C',
  /** Said of what went away: neither good nor grave. */
  gone: '#C2CEDC',
  running: '#7DBEFF',
} as const

/** Levels 1 and 2 call for action at once; the word beside says which. */
export const levelColor = (level: number | null | undefined): string => (level === 1 ? dark.alarm : level ? dark.warning : dark.fine)
