/** Below this share of its readings a machine is not watched on a day, whatever its page shows. */
export const leastReport = 90

interface MachineDay {
  deviceId: string
  day: string
}

/** How much of a day a machine told. */
export const reportCell = (row: { reportPercent: number }) => (
  <span className={row.reportPercent < leastReport ? 'tone-danger' : ''}>{row.reportPercent.toFixed(1)}</span>
)

/** A machine's day, as the pages of the family are asked for it. */
export const dayOf = ({ deviceId, day }: MachineDay) => ({ deviceId, period: `${day},${day}` })
