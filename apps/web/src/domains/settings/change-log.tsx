import { Card } from '#kit/feedback.tsx'

/** Changes with author, newest first. */
export function ChangeLog({ history }: { history: readonly { at: string; by: string; summary: string }[] }) {
  return (
    <div className="set-after">
      <Card title="变更记录" remark="本机构的最近 20 条">
        {history.length === 0 ? (
          <p className="zg-2">还没有改过</p>
        ) : (
          <ul className="set-log">
            {history.map((one) => (
              <li key={`${one.at} ${one.summary}`}>
                <span className="zg-2 zg-nowrap">{one.at}</span> {one.by} {one.summary}
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}
