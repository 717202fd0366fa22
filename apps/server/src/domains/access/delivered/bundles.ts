import type { Codes } from './role.ts'

/*
 * Permissions shared by several roles. Bundles are read-only, except for everyday office work: deciding and forwarding assigned items,
 * creating exports, and giving advice. If a role lists a module again, its entry replaces the bundle's.
 */

const readingDesk: Codes = {
  home: 'view',
  export: 'run',
  approval: 'view',
  screens: 'view',
  project: 'view',
  corporation: 'view',
}

export const desk: Codes = { ...readingDesk, approval: 'view audit transfer' }

/** Office work at an authority. */
export const office: Codes = { ...desk, government: 'view' }

export const machinesSeen: Codes = {
  'tower-crane': 'view',
  environment: 'view',
  lifter: 'view',
  unloading: 'view',
  'foundation-pit': 'view',
  'foundation-pile': 'view',
  'high-formwork': 'view',
  meters: 'view',
  weighbridge: 'view',
  helmet: 'view',
  vehicle: 'view track video',
  'vehicle-access': 'view',
  video: 'view play playback',
}

/** Reading people, machines and their alarms. */
export const fieldSeen: Codes = {
  labour: 'view stats',
  personnel: 'view',
  attendance: 'view',
  ...machinesSeen,
  alarm: 'view',
  'device-admin': 'view',
  rules: 'view',
}

export const papersSeen: Codes = {
  supervision: 'view adviceSubmit',
  inspection: 'view',
  'safety-management': 'view',
  documents: 'view',
  experts: 'view',
  'fire-acceptance': 'view',
  org: 'view',
  docking: 'view',
}

/** Read access to everything on a site. */
export const siteSeen: Codes = { ...readingDesk, ...fieldSeen, ...papersSeen }

/** The same, with office work. */
export const siteWork: Codes = { ...siteSeen, ...desk }
