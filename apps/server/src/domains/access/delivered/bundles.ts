import type { Codes } from './role.ts'

/*
 * What several roles begin with. A bundle looks and changes nothing, but for what everybody at a desk does: pass on and decide what was laid
 * before him, have files made, and say a word of advice. Where a role names a module again, that line is all it holds of the module.
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

/** The desk of a supervising body. */
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

/** People, machines and what is told of them. */
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

/** All there is to see of a site. */
export const siteSeen: Codes = { ...readingDesk, ...fieldSeen, ...papersSeen }

/** The same for whoever also works there. */
export const siteWork: Codes = { ...siteSeen, ...desk }
