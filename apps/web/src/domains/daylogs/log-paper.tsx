import { impacts } from '@zhugong/contract/daylogs/fields'
import type { LogDetail } from '@zhugong/contract/daylogs/shapes'
import { Link } from 'react-router'
import { Card, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { Papers } from '#kit/papers.tsx'
import { FactWords } from './fact-input.tsx'
import { weatherWords } from './log-words.tsx'

/** The log as a paper: its words, its figures with their source, what it refers to and what became of it. */
export function LogPaper({ file }: { file: LogDetail }) {
  const ofSite = file.projectCode !== null
  const built = file.unitId !== null
  const groups = [...Map.groupBy(file.facts, (one) => one.kindName)]
  return (
    <>
      {file.late && <Notice tone="warning">补记：{file.lateReason}</Notice>}
      {file.attendance.differs && (
        <Notice tone="warning">
          填写人数 {file.workerCount} 人，考勤 {file.attendance.count} 人，相差超过 20%。
        </Notice>
      )}
      <Card title={`${file.day} ${file.unitName ?? ''}`} remark={`${file.authorGroupName} ${file.recorder}`}>
        <Pairs
          items={[
            { label: '天气', value: weatherWords(file) || null },
            ...(ofSite
              ? [
                  { label: '现场人数', value: file.workerCount === null ? null : `${file.workerCount} 人（手填）` },
                  {
                    label: built ? '全场考勤' : '考勤人数',
                    value: file.attendance.count === null ? null : `${file.attendance.count} 人（系统）`,
                  },
                ]
              : [{ label: '涉及项目', value: file.visited.map((one) => one.name).join('、'), wide: true }]),
            ...(built
              ? [
                  { label: '施工影响', value: impacts[file.impact as keyof typeof impacts] },
                  { label: '窝工', value: file.idleCount === null ? null : `${file.idleCount} 人次` },
                ]
              : []),
            { label: '施工部位与内容', value: <Words text={file.parts} />, wide: true },
            ...(file.safetyState ? [{ label: '安全生产情况', value: <Words text={file.safetyState} />, wide: true }] : []),
            ...(file.qualityState ? [{ label: '质量情况', value: <Words text={file.qualityState} />, wide: true }] : []),
            ...(file.machines ? [{ label: '其他机械', value: file.machines, wide: true }] : []),
            ...(file.tomorrow ? [{ label: '明日要点', value: <Words text={file.tomorrow} />, wide: true }] : []),
          ]}
        />
      </Card>
      {file.tasks.length > 0 && (
        <Card title="进度" remark="提交的完成百分比是进度填报的建议">
          <ul className="log-lines">
            {file.tasks.map((one) => (
              <li key={one.taskId}>
                {one.name}{' '}
                <b className="zg-num">
                  {one.before}% → {one.percent}%
                </b>
                {one.now !== null && one.now !== one.before && <span className="zg-2"> 进度计划现为 {one.now}%</span>}
                {one.reason && <p className="zg-2">{one.reason}</p>}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {file.pours.length > 0 && (
        <Card title="混凝土浇筑">
          <ul className="log-lines">
            {file.pours.map((one) => (
              <li key={`${one.part}${one.from}`}>
                {one.part} {one.grade} <b className="zg-num">{one.volume} m³</b>{' '}
                <span className="zg-2">
                  {one.from} 至 {one.until}，{one.byName}（手填）
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {file.problems.length > 0 && (
        <Card title="问题及处理" remark={`${file.problems.length} 条`}>
          <ol className="log-lines">
            {file.problems.map((one) => (
              <li key={one.description}>
                {one.description}
                {one.rectify && (
                  <>
                    {' '}
                    <Link to={one.rectify.link}>{one.rectify.code ?? '整改单'}</Link>{' '}
                    <Tag tone={one.rectify.closed ? 'fine' : 'warning'}>{one.rectify.stateName}</Tag>
                  </>
                )}
              </li>
            ))}
          </ol>
        </Card>
      )}
      {file.orders.length > 0 && (
        <Card title="由本日志下发的整改">
          <ul className="log-lines">
            {file.orders.map((one) => (
              <li key={one.id}>
                <Link to={one.link}>{one.code ?? '整改单'}</Link> <Tag tone={one.open ? 'warning' : 'fine'}>{one.stateName}</Tag>{' '}
                <span className="zg-2">期限 {one.deadline}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {groups.map(([name, facts]) => (
        <Card key={name} title={name} remark={`系统带入 ${facts.length} 条`}>
          <ul className="log-lines">
            {facts.map((one) => (
              <li key={one.refId}>
                <FactWords one={one} />
                {one.later && <Tag tone="fine">现为 {one.later}</Tag>}
              </li>
            ))}
          </ul>
        </Card>
      ))}
      <Card title="照片" remark={file.photos.length > 0 ? `${file.photos.length} 张` : undefined}>
        <PhotoLine file={file} />
      </Card>
      {file.changes.length > 0 && (
        <Card title="提交后的更改" remark="原文在前，永久保留">
          <ul className="log-changes">
            {file.changes.map((one) => (
              <li key={one.id}>
                <p>
                  <b>{one.field}</b>{' '}
                  <span className="zg-2">
                    {one.byName} {one.at.slice(0, 16)}
                    {one.reason ? `，${one.reason}` : ''}
                  </span>
                </p>
                <p>
                  原文：<del>{one.before || '（空）'}</del>
                </p>
                <p>
                  新文：<ins>{one.after || '（空）'}</ins>
                </p>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

const Words = ({ text }: { text: string }) => <span className="log-words">{text}</span>

/** Photographs by the time at which they were taken. */
function PhotoLine({ file }: { file: LogDetail }) {
  if (file.photos.length === 0) return <Papers files={[]} name="现场" />
  const timed = file.photos.map((photo, i) => ({ photo, at: file.photoTimes[i] ?? null }))
  return (
    <ol className="log-photos">
      {timed
        .toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? ''))
        .map(({ photo, at }) => (
          <li key={photo}>
            <Papers files={[photo]} name="现场" />
            <time className="zg-2">{at === null ? '拍摄时间未知' : at.slice(5, 16)}</time>
          </li>
        ))}
    </ol>
  )
}
