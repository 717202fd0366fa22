export { DutyButton } from './duty-button.tsx'
