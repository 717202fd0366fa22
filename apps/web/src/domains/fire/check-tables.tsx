import type { FireBuild, FireDetail } from '@zhugong/contract/fire/calls'
import { type Entry, type JudgedProject, judgeBuild } from '@zhugong/contract/fire/judge'
import { type FireEntry, type FireItems, fireItemsOf, writeFirePoint } from '@zhugong/contract/fire/points'
import { results } from '@zhugong/contract/fire/rule'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel, Known, Notice } from '#kit/feedback.tsx'
import { useOutbox } from '#kit/field/outbox.ts'
import type { Waiting } from '#kit/field/store.ts'
import { anyProject, type Shown, VerdictTag } from './fire-words.tsx'
import { SubSheet } from './sub-sheet.tsx'

/** The buildings of a case with their check tables; on the site every point is written here. */
export function CheckTables({ file }: { file: FireDetail }) {
  const [chosen, setChosen] = useState<string>()
  const [first] = file.buildRows
  const build = file.buildRows.find((one) => one.id === chosen) ?? first
  if (!build) return <Empty small text="没有单体" />
  return (
    <>
      {file.buildRows.length > 1 && (
        <Segmented
          options={file.buildRows.map((one) => ({
            value: one.id,
            label: one.judged ? `${one.name} ${one.judged.subsDone}/${one.judged.subsTotal}` : one.name,
          }))}
          value={build.id}
          onChange={setChosen}
        />
      )}
      <Building key={build.id} file={file} build={build} />
    </>
  )
}

interface PointBody {
  id: string
  assessmentId: string
  buildId: string
  itemCode: string
  checkPart: string
  result: FireEntry['result']
  productFail: boolean
  designValue: string | null
  actualValue: string | null
  tolerance: number
  description: string | null
  changeReason: string | null
  photos: string[]
}
const waitingOf = (letters: readonly Waiting[], caseId: string, buildId: string, round: number, known: ReadonlySet<string>): Shown[] =>
  letters
    .filter((one) => one.path === writeFirePoint.path && one.method === writeFirePoint.method)
    .map((one) => ({ body: one.body as PointBody, at: one.at }))
    .filter(({ body }) => body.assessmentId === caseId && body.buildId === buildId && !known.has(body.id))
    .map(({ body, at }) => ({ ...body, round, byName: '本机', at: new Date(at).toISOString(), waits: true }))

function Building({ file, build }: { file: FireDetail; build: FireBuild }) {
  const read = useCall(
    fireItemsOf,
    { query: { ...anyProject, assessmentId: file.id, buildId: build.id } },
    { quiet: true, staleMs: 0, offline: true, everyMs: file.mine ? 30_000 : undefined },
  )
  const letters = useOutbox((outbox) => outbox.waiting)
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const data = read.data
  return (
    <Known of={read} rows={8}>
      {data && (
        <Sheets
          file={file}
          build={build}
          data={data}
          waiting={waitingOf(letters, file.id, build.id, data.round, new Set(data.entries.map((one) => one.id)))}
        />
      )}
    </Known>
  )
}

interface SheetsProps {
  file: FireDetail
  build: FireBuild
  data: FireItems
  waiting: readonly Shown[]
}
function Sheets({ file, build, data, waiting }: SheetsProps) {
  const entries: Shown[] = [...data.entries.map((one) => ({ ...one, waits: false })), ...waiting]
  const now = entries.filter((one) => one.round === data.round)
  const notes = data.subs.filter((one) => one.round === data.round)
  const judged = judgeBuild(data.items, build, now satisfies Entry[], notes, data.only)
  const [open, setOpen] = useState<string>()
  const subs = judged.projects.flatMap((one) => one.subs)
  const shown = subs.find((one) => one.code === open) ?? subs.find((one) => !one.judged.complete) ?? subs[0]
  const past = entries.filter((one) => one.round < data.round)
  const begun = file.rounds.length > 0
  if (!shown) return <Empty small text="本轮不检查该单体" />
  return (
    <>
      {waiting.length > 0 && <Notice tone="warning">{waiting.length} 个要点存在本机，联网后逐条发送。</Notice>}
      {data.only && <Notice tone="info">复评只检查第 {data.round - 1} 轮不合格的子项，上一轮记录以灰色并列。</Notice>}
      <div className="fire-desk">
        <nav className="fire-tree" aria-label="项目与子项">
          {judged.projects.map((project) => (
            <Branch key={project.code} project={project} begun={begun} chosen={shown.code} onChoose={setOpen} />
          ))}
        </nav>
        <SubSheet
          key={shown.code}
          file={file}
          buildId={build.id}
          sub={shown}
          fullCheck={data.items.some((one) => one.code === shown.code && one.fullCheck)}
          entries={now.filter((one) => one.itemCode.startsWith(shown.code))}
          past={past.filter((one) => one.itemCode.startsWith(shown.code))}
          note={notes.find((one) => one.subCode === shown.code)}
          next={() => setOpen(subs[subs.indexOf(shown) + 1]?.code)}
        />
      </div>
      {begun && (
        <Card title="单体结论" remark="随要点推定">
          <VerdictTag verdict={judged.judged.verdict} /> 已完成 {judged.subsDone} / {judged.subsTotal} 个子项，不符合{' '}
          {now.filter((one) => one.result === results.fails).length} 条记录
        </Card>
      )}
    </>
  )
}

interface BranchProps {
  project: JudgedProject
  begun: boolean
  chosen: string
  onChoose: (code: string) => void
}
function Branch({ project, begun, chosen, onChoose }: BranchProps) {
  const done = project.subs.filter((one) => one.judged.complete).length
  return (
    <section>
      <h4>
        <span className="zg-2">{project.table}</span> {project.name}
        {begun && (
          <span className="zg-num zg-2">
            {done}/{project.subs.length}
          </span>
        )}
      </h4>
      {project.subs.map((one) => (
        <button
          key={one.code}
          type="button"
          className="zg-bare"
          aria-current={one.code === chosen ? 'true' : undefined}
          onClick={() => onChoose(one.code)}
        >
          <span>{one.name}</span>
          {begun && <VerdictTag verdict={one.judged.verdict} />}
        </button>
      ))}
    </section>
  )
}
