import { type SessionDetail, signWayNames } from '@zhugong/contract/personnel/train-model'
import { changeSession, getSession, listSessions, trainBoard } from '@zhugong/contract/personnel/training'
import { Button, Checkbox, Input, InputNumber, Segmented } from 'antd'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { call, refresh, useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { CallError } from '#kit/failure.ts'
import { Card, Empty, Tag } from '#kit/feedback.tsx'
import { showFailure } from '#kit/http.ts'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { readMarks } from './paste-marks.ts'
import { anyProject } from './session-words.tsx'
import './train-board.css'

type Person = SessionDetail['workers'][number]
interface Mark {
  score: number | null
  passed: boolean | null
}
type Marks = Readonly<Record<string, Mark>>

/** The list of a session: who came and how, and the marks. Before they are entered they are typed or pasted; later they are corrected. */
export function MarkTable({ file }: { file: SessionDetail }) {
  const may = useCan(changeSession, file)
  const [correcting, setCorrecting] = useState(false)
  const [marks, setMarks] = useState<Marks>(() => givenMarks(file))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [pasting, setPasting] = useState(false)
  const act = useAct(changeSession, { success: '已保存' })
  const isOpen = may && (file.state === 'planned' || file.state === 'due')
  const typing = (isOpen && file.state === 'due') || correcting
  const key = { params: { id: file.id }, query: anyProject }
  const set = (stay: string, more: Partial<Mark>) => setMarks({ ...marks, [stay]: { score: null, passed: null, ...marks[stay], ...more } })
  const rows = file.workers.map((one) => ({
    projectWorkerId: one.projectWorkerId,
    ...(marks[one.projectWorkerId] ?? { score: null, passed: null }),
  }))
  const missing = rows.filter((one) => one.passed === null).length
  const save = (close: boolean) => act.run({ ...key, body: { action: 'mark', version: file.version, workers: rows, close } })
  const signIn = async () => {
    const done = await act.run({ ...key, body: { action: 'signIn', version: file.version, way: 'list', workers: [...chosen] } })
    if (done) setChosen([])
  }
  return (
    <Card
      title="参训人员"
      remark={`${file.people} 人，签到 ${file.attended} 人${file.closed ? `，合格 ${file.passed} 人` : ''}`}
      actions={
        <>
          {isOpen && chosen.length > 0 && (
            <Button type="primary" loading={act.running} onClick={() => void signIn()}>
              点名签到 {chosen.length} 人
            </Button>
          )}
          {typing && <Button onClick={() => setPasting(true)}>粘贴成绩</Button>}
          {isOpen && file.state === 'due' && (
            <>
              <Button loading={act.running} onClick={() => void save(false)}>
                暂存
              </Button>
              <Button type="primary" loading={act.running} disabled={missing > 0 || rows.length === 0} onClick={() => void save(true)}>
                {missing > 0 ? `还有 ${missing} 人没有结果` : '提交成绩'}
              </Button>
            </>
          )}
          {may && file.closed && !correcting && <Button onClick={() => setCorrecting(true)}>更正成绩</Button>}
          {correcting && <Correct file={file} marks={marks} onEnd={() => setCorrecting(false)} />}
        </>
      }
    >
      {file.workers.length === 0 ? (
        <Empty small text="名单内还没有人" hint="用“增加人员”加入参训人员" />
      ) : (
        <div className="zg-scrolls">
          <table className="train-marks">
            <thead>
              <tr>
                {isOpen && <th>点名</th>}
                <th>姓名</th>
                <th>班组与工种</th>
                <th>签到</th>
                <th>成绩</th>
                <th>结果</th>
              </tr>
            </thead>
            <tbody>
              {file.workers.map((one) => (
                <tr key={one.id}>
                  {isOpen && (
                    <td>
                      <Checkbox
                        aria-label={`${one.name} 签到`}
                        disabled={one.signedAt !== null}
                        checked={one.signedAt !== null || chosen.includes(one.projectWorkerId)}
                        onChange={(event) =>
                          setChosen(
                            event.target.checked ? [...chosen, one.projectWorkerId] : chosen.filter((stay) => stay !== one.projectWorkerId),
                          )
                        }
                      />
                    </td>
                  )}
                  <td>
                    <Link to={hrefOf('/person/train/details', { id: one.workerId })}>{one.name}</Link> {one.left && <Tag>已退场</Tag>}
                  </td>
                  <td className="zg-2">{[one.teamName, one.workTypeName].filter(Boolean).join(' · ')}</td>
                  <td>
                    {one.signedAt ? (
                      <>
                        {one.signWay && signWayNames[one.signWay]} <span className="zg-2 zg-num">{one.signedAt.slice(11, 16)}</span>
                      </>
                    ) : (
                      <span className="zg-2">未签到</span>
                    )}
                  </td>
                  {typing ? (
                    <Typed person={one} mark={marks[one.projectWorkerId]} onChange={(more) => set(one.projectWorkerId, more)} />
                  ) : (
                    <Shown person={one} />
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Changes people={file.workers} />
      {pasting && (
        <Paste
          people={file.workers}
          onClose={() => setPasting(false)}
          onMarks={(more) => {
            setMarks({ ...marks, ...more })
            setPasting(false)
          }}
        />
      )}
    </Card>
  )
}

const givenMarks = (file: SessionDetail): Marks =>
  Object.fromEntries(file.workers.map(({ projectWorkerId, score, passed }) => [projectWorkerId, { score, passed }]))

function Typed({ person, mark, onChange }: { person: Person; mark: Mark | undefined; onChange: (more: Partial<Mark>) => void }) {
  return (
    <>
      <td>
        <InputNumber
          min={0}
          max={100}
          value={mark?.score ?? null}
          aria-label={`${person.name} 成绩`}
          onChange={(score) => onChange({ score })}
        />
      </td>
      <td>
        <Segmented
          aria-label={`${person.name} 结果`}
          value={mark?.passed === true ? 'yes' : mark?.passed === false ? 'no' : 'none'}
          onChange={(next) => onChange({ passed: next === 'none' ? null : next === 'yes' })}
          options={[
            { value: 'none', label: '未定' },
            { value: 'yes', label: '合格' },
            { value: 'no', label: '不合格' },
          ]}
        />
      </td>
    </>
  )
}

function Shown({ person }: { person: Person }) {
  return (
    <>
      <td className="zg-num">
        {person.score ?? '--'}
        {person.retestAt && <span className="zg-2">（补考 {person.retestScore ?? '--'}）</span>}
      </td>
      <td>
        {person.passed === null ? (
          <span className="zg-2">未登记</span>
        ) : (
          <Tag tone={person.passed ? 'fine' : 'danger'}>{person.passed ? '合格' : person.retestAt ? '补考不合格' : '待补考'}</Tag>
        )}{' '}
        {person.retestAt && person.passed && <span className="zg-2">{person.retestAt} 补考合格</span>}
      </td>
    </>
  )
}

interface Losing {
  losing: { id: string; name: string }[]
}
const losingOf = (error: unknown): Losing['losing'] | undefined =>
  error instanceof CallError && error.detail !== null && typeof error.detail === 'object' && 'losing' in error.detail
    ? (error.detail as Losing).losing
    : undefined

/** Saves corrected marks; the server names whoever loses the right of entry, and nothing is saved before that is confirmed. */
function Correct({ file, marks, onEnd }: { file: SessionDetail; marks: Marks; onEnd: () => void }) {
  const [saving, setSaving] = useState(false)
  const changed = file.workers.flatMap((one) => {
    const mark = marks[one.projectWorkerId]
    if (!mark || (mark.score === one.score && mark.passed === one.passed)) return []
    return [{ projectWorkerId: one.projectWorkerId, ...mark }]
  })
  const send = async (reason: string, losing: Losing['losing']): Promise<void> => {
    const body = { action: 'correct' as const, version: file.version, workers: changed, reason, losing: losing.map((one) => one.id) }
    try {
      await call(changeSession, { params: { id: file.id }, query: anyProject, body })
      notify.success('已更正，进场资格已重新计算')
      refresh(getSession, listSessions, trainBoard)
      onEnd()
    } catch (error) {
      const named = losingOf(error)
      if (!named || named.length === 0) return showFailure(error)
      const sure = await confirmDanger({
        thing: `更正成绩，${named.map((one) => one.name).join('、')} 失去进场资格`,
        consequence: `保存后这 ${named.length} 人的门禁随即停用，重新培训合格后恢复。`,
        verb: `更正并停用 ${named.length} 人门禁`,
        keep: '不更正',
      })
      if (sure) await send(reason, named)
    }
  }
  const save = async () => {
    const reason = await askReason(`更正 ${changed.length} 人的成绩`, '更正原因')
    if (!reason) return
    setSaving(true)
    await send(reason, [])
    setSaving(false)
  }
  return (
    <>
      <Button onClick={onEnd}>不更正</Button>
      <Button type="primary" danger loading={saving} disabled={changed.length === 0} onClick={() => void save()}>
        保存更正 {changed.length} 人
      </Button>
    </>
  )
}

function Changes({ people }: { people: readonly Person[] }) {
  const lines = people.flatMap((one) => one.changes.map((change) => ({ name: one.name, ...change })))
  if (lines.length === 0) return null
  const said = (mark: Mark) => `${mark.score ?? '--'} ${mark.passed ? '合格' : '不合格'}`
  return (
    <details>
      <summary>更正与补考记录 {lines.length} 条</summary>
      {lines.map((one) => (
        <p key={`${one.name}${one.time}`} className="zg-2">
          {one.time} {one.by}：{one.name} 由 {said(one.from)} 改为 {said(one.to)}
          {one.reason && `（${one.reason}）`}
        </p>
      ))}
    </details>
  )
}

/** Marks copied from a spreadsheet, found by name; names that are on the list twice or not at all are said. */
function Paste({ people, onMarks, onClose }: { people: readonly Person[]; onMarks: (marks: Marks) => void; onClose: () => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const read = readMarks(text)
  const found = read.map((one) => ({ ...one, people: people.filter((person) => person.name === one.name) }))
  const fitting = found.filter((one) => one.people.length === 1)
  const wrong = found.filter((one) => one.people.length !== 1)
  const take = () =>
    onMarks(Object.fromEntries(fitting.map(({ people: [person], score, passed }) => [person?.projectWorkerId ?? '', { score, passed }])))
  return (
    <PageModal
      open
      title="粘贴成绩"
      okText={`填入 ${fitting.length} 人`}
      okButtonProps={{ disabled: fitting.length === 0 }}
      cancelText="取消"
      onOk={take}
      onCancel={onClose}
    >
      <label className="zg-label" htmlFor={id}>
        从 Excel 复制姓名和成绩两列，没有结果的 60 分以上为合格
      </label>
      <Input.TextArea id={id} rows={8} value={text} onChange={(event) => setText(event.target.value)} />
      {wrong.length > 0 && (
        <p className="tone-danger">
          {wrong.map((one) => `${one.name}${one.people.length > 1 ? '（重名，请手工填写）' : '（不在名单内）'}`).join('、')}
        </p>
      )}
    </PageModal>
  )
}
