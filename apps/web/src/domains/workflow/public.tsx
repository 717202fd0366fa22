export { ApprovalSide } from './approval-side.tsx'
export { DecideHere, useDecidedHere } from './decide-here.tsx'
