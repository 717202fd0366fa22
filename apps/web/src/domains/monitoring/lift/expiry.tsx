/** Before a safety device's calibration ends, its next one is arranged. */
const dueSoonDays = 30

/** When the overspeed safety device is to be calibrated again; past it no lift may run. */
export function ExpiryWords({ date, days }: { date: string | null; days: number | null }) {
  if (date === null || days === null) return <span className="tone-warning">未填</span>
  if (days < 0) return <span className="tone-danger">{`${date} 过期 ${-days} 天`}</span>
  return <span className={days <= dueSoonDays ? 'tone-warning' : ''}>{`${date}（${days} 天）`}</span>
}
