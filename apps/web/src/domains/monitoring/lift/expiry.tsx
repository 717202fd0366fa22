/** Days before the expiry of the safety device from which it is highlighted. */
export const dueSoonDays = 30

/** When the calibration of the safety device expires; after that the lift must not run. */
export function ExpiryWords({ date, days }: { date: string | null; days: number | null }) {
  if (date === null || days === null) return <span className="tone-warning">未填</span>
  if (days < 0) return <span className="tone-danger">{`${date} 过期 ${-days} 天`}</span>
  return <span className={days <= dueSoonDays ? 'tone-warning' : ''}>{`${date}（${days} 天）`}</span>
}
