export { ApprovalSide } from './approval-side.tsx'
