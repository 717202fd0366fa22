import type { MachineAction } from '@zhugong/contract/machines/moves'

/** Steps of the site with a form, in the order of a machine's life. */
export const steps = [
  'save',
  'file',
  'noticeInstall',
  'install',
  'selfCheck',
  'saveTest',
  'staff',
  'retest',
  'noticeDismantle',
  'dismantle',
] as const satisfies readonly MachineAction[]
export type Step = (typeof steps)[number]
