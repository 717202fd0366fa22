import type { BriefingDetail, BriefingReceiver } from '@zhugong/contract/briefings/calls'
import { Card, Tag } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { receiverWords } from './briefing-words.tsx'

/** What is missing first. */
const rank: Readonly<Record<BriefingReceiver['state'], number>> = { waiting: 0, gone: 1, excused: 2, paper: 3, signed: 4 }

/** Who was briefed and whether he signed himself; 待补签 on top. */
export function People({ file }: { file: BriefingDetail }) {
  const leads = file.signatures.filter((one) => one.state !== 'void' && !file.receivers.some((r) => r.id === one.seat))
  const images = new Map(file.signatures.filter((one) => one.state === 'signed').map((one) => [one.seat, one]))
  const people = file.receivers.toSorted((a, b) => rank[a.state] - rank[b.state])
  const voided = file.signatures.filter((one) => one.state === 'void').length
  return (
    <Card title="签字" remark={voided > 0 ? `另有 ${voided} 个签名因内容变更已失效` : undefined}>
      <p className="briefing-progress">
        <b className="zg-num">
          {file.signed} / {file.total}
        </b>
        <span className="zg-2">被交底人已签{file.excused > 0 ? `，${file.excused} 人未到` : ''}</span>
      </p>
      <Filled part={file.signed} whole={file.total} />
      <ul className="briefing-people">
        {leads.map((one) => (
          <li key={one.seat}>
            <span>
              <b>{one.name ?? one.expects}</b>
            </span>
            <span className="zg-2">{one.role}</span>
            <Tag tone={one.state === 'signed' ? 'fine' : 'warning'}>{one.state === 'signed' ? '已签' : '待签'}</Tag>
            <Mark image={one.image} name={one.name} at={one.at} />
          </li>
        ))}
        {people.map((one) => {
          const signed = images.get(one.id)
          const { text, tone } = receiverWords[one.state]
          return (
            <li key={one.id}>
              <span>
                <b>{one.name}</b>
              </span>
              <span className="zg-2">
                {[one.role, one.unit].filter(Boolean).join(' · ')}
                {one.reason && <> · {one.reason}</>}
              </span>
              <span>
                <Tag tone={tone}>{text}</Tag> {one.onSite === false && <Tag tone="danger">当天无考勤</Tag>}
                {one.state === 'waiting' && one.presentToday && <Tag tone="running">今日在场</Tag>}
              </span>
              <Mark image={signed?.image ?? null} name={one.name} at={one.signedAt} />
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

function Mark({ image, name, at }: { image: string | null; name: string | null; at: string | null }) {
  return (
    <span className="zg-row zg-gap-6">
      {at && <time className="zg-2 zg-num">{at.slice(5, 16)}</time>}
      {image && <img src={image} alt={`${name ?? ''}的签名`} />}
    </span>
  )
}
