import { changeRectify, getRectify, type RectifyDetail, type RectifyLine } from '@zhugong/contract/rectify/calls'
import { failuresToPenalty } from '@zhugong/contract/rectify/moves'
import { listReplies } from '@zhugong/contract/rectify/replies'
import { Button, Checkbox, Input, Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { call, useAct, useCall } from '#kit/call.ts'
import { Card, Notice, Tag } from '#kit/feedback.tsx'
import { Voices } from '#kit/field/voice-notes.tsx'
import { DayInput } from '#kit/inputs.tsx'
import { notify } from '#kit/notify.ts'
import { useGo, usePage } from '#kit/page.tsx'
import { WorkItem } from '#kit/work-item.tsx'
import { NeedsNotice } from './needs-notice.tsx'
import { Photos } from './rectify-problems.tsx'
import { isStop, RectifyStateTag } from './rectify-words.tsx'
import { ProxyTag, RoundFacts, VisitTag } from './reply-words.tsx'

type Verdict = 'pass' | 'fail'
const verdicts = [
  { value: 'pass', label: '合格（1）' },
  { value: 'fail', label: '不合格（2）' },
]
/** Reasons that are written most often. */
const phrases = ['照片与整改部位不符', '整改不彻底，仍有遗漏', '未附整改后照片全景', '措施与要求不一致']

/** Two officers decide problem by problem whether a reply is good. Keys: up and down between problems, 1 passes, 2 fails. */
export default function RecheckPage() {
  return <NeedsNotice>{(id) => <Recheck id={id} />}</NeedsNotice>
}

function Recheck({ id }: { id: string }) {
  const page = usePage()
  const go = useGo()
  const read = useCall(getRectify, { params: { id } }, { quiet: true, staleMs: 0 })
  const file = read.data
  const may = file?.actions.some((one) => one.action === 'recheckPass')
  return (
    <WorkItem
      title={file && (file.code ?? '整改单')}
      tags={
        file && (
          <>
            <RectifyStateTag row={file} /> {file.proxied && <ProxyTag />} {file.mustVisit && <VisitTag />}
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '责任单位', value: file.corpName },
              { label: '期限', value: file.deadline, tone: file.overdueDays ? 'danger' : undefined },
              { label: '回复', value: `第 ${file.rounds.length} 轮` },
            ]
          : []
      }
      actions={file && <Button onClick={() => go('/jgt/project/project_detail', { id })}>通知详情</Button>}
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={file && !may && <Rounds file={file} />}
    >
      {file && !may && (
        <Notice tone="info" actions={<Button onClick={() => go('/jgt/project/huifu', { id })}>查看回复</Button>}>
          {whyNot(file)}
        </Notice>
      )}
      {file && may && <Judging key={file.version} file={file} />}
    </WorkItem>
  )
}

const waitsForRecheck = '5'
const whyNot = (file: RectifyDetail) =>
  file.state === waitsForRecheck ? '这份回复不由您复查：回复人、代录人不能复查自己的回复，其他机构下发的由其复查。' : file.waiting

function Rounds({ file }: { file: RectifyDetail }) {
  return (
    <Card title="各轮回复" remark={`${file.rounds.length} 轮`}>
      {[...file.rounds].reverse().map((one) => (
        <RoundFacts key={one.round} round={one} />
      ))}
    </Card>
  )
}

function Judging({ file }: { file: RectifyDetail }) {
  const page = usePage()
  const lines = file.lines.filter((line) => line.state === 'answered')
  const [at, setAt] = useState(0)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set(lines.slice(0, 1).map((line) => line.id)))
  const [judged, setJudged] = useState<Record<string, Verdict>>({})
  const [reasons, setReasons] = useState<Record<string, string>>({})
  const current = lines[at]

  const open = (index: number) => {
    const line = lines[index]
    if (!line) return
    setAt(index)
    setOpened((now) => new Set([...now, line.id]))
  }
  const judge = (verdict: Verdict) => {
    if (!current) return
    setJudged((now) => ({ ...now, [current.id]: verdict }))
    // A failed one needs its reason first.
    if (verdict === 'pass') open(at + 1)
  }
  const keys = new Map<string, () => void>([
    ['ArrowDown', () => open(at + 1)],
    ['ArrowUp', () => open(at - 1)],
    ['1', () => judge('pass')],
    ['2', () => judge('fail')],
  ])
  useEffect(() => {
    if (!page.active) return
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (target.closest('input, textarea, [role="dialog"], .ant-picker-dropdown') || event.ctrlKey || event.metaKey || event.altKey) return
      const act = keys.get(event.key)
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })

  return (
    <div className="rectify-judging">
      <Card title="问题" remark={`${Object.keys(judged).length} / ${lines.length} 已判定`}>
        <ol className="rectify-queue">
          {lines.map((line, index) => (
            <li key={line.id}>
              <button type="button" className="zg-bare" aria-current={index === at ? 'true' : undefined} onClick={() => open(index)}>
                <span>
                  {line.seq}. {line.part}
                </span>
                <LineMark verdict={judged[line.id]} opened={opened.has(line.id)} />
              </button>
            </li>
          ))}
        </ol>
        <p className="zg-2">↑ ↓ 换问题，1 合格，2 不合格</p>
      </Card>
      <div className="rectify-judged">
        {isStop(file.noticeType) && <Notice tone="warning">停工整改：复查合格即可恢复施工，请到现场逐条核对。</Notice>}
        {current && (
          <Card title={`${current.seq}. ${current.part}`} remark={current.person ? `整改人 ${current.person}` : undefined}>
            <Sides line={current} />
            <div className="rectify-fill">
              <Segmented options={verdicts} value={judged[current.id] ?? ''} onChange={(value) => judge(value as Verdict)} />
              {judged[current.id] === 'fail' && (
                <>
                  <Input
                    aria-label={`第 ${current.seq} 个问题不合格的原因`}
                    placeholder="哪里不合格，要补做什么"
                    maxLength={500}
                    value={reasons[current.id] ?? ''}
                    onChange={(event) => setReasons({ ...reasons, [current.id]: event.target.value })}
                  />
                  <div className="zg-row zg-wrap zg-gap-6">
                    {phrases.map((phrase) => (
                      <Button key={phrase} size="small" onClick={() => setReasons({ ...reasons, [current.id]: phrase })}>
                        {phrase}
                      </Button>
                    ))}
                  </div>
                </>
              )}
            </div>
          </Card>
        )}
        <Decision file={file} lines={lines} opened={opened} judged={judged} reasons={reasons} />
      </div>
      <Rounds file={file} />
    </div>
  )
}

function LineMark({ verdict, opened }: { verdict: Verdict | undefined; opened: boolean }) {
  if (verdict === 'pass') return <Tag tone="fine">合格</Tag>
  if (verdict === 'fail') return <Tag tone="danger">不合格</Tag>
  return <span className="zg-2">{opened ? '未判定' : '未看'}</span>
}

/** What was demanded at the left, what was done at the right. */
function Sides({ line }: { line: RectifyLine }) {
  const [answer] = [...line.answers].filter((one) => !one.draft).reverse()
  return (
    <div className="rectify-split">
      <figure>
        <figcaption>整改前</figcaption>
        <p>{line.description}</p>
        <Voices voices={line.voices} />
        <p className="zg-2">要求：{line.requirement}</p>
        {line.clause && <p className="zg-2">依据：{line.clause}</p>}
        <Photos photos={line.photos} notes={line.photoNotes} name="整改前" large />
      </figure>
      <figure>
        <figcaption>整改后</figcaption>
        <p>{answer?.measure ?? '未填措施'}</p>
        <p className="zg-2">
          {answer?.byName} {answer?.at.slice(0, 16)}
          {answer?.doneDate && ` · 完成 ${answer.doneDate}`}
        </p>
        {answer?.reviewOpinion && <p className="zg-2">监理：{answer.reviewOpinion}</p>}
        <Photos photos={answer?.photos ?? []} notes={answer?.photoNotes} name="整改后" large />
      </figure>
    </div>
  )
}

interface DecisionProps {
  file: RectifyDetail
  lines: readonly RectifyLine[]
  opened: ReadonlySet<string>
  judged: Readonly<Record<string, Verdict>>
  reasons: Readonly<Record<string, string>>
}

function Decision({ file, lines, opened, judged, reasons }: DecisionProps) {
  const [second, setSecond] = useState('')
  const [opinion, setOpinion] = useState('')
  const [deadline, setDeadline] = useState<string | undefined>(undefined)
  const [onSite, setOnSite] = useState(false)
  const toNext = useNextReply(file.id)
  const act = useAct(changeRectify, { success: '已复查', onDone: toNext })
  const key = { id: file.id, version: file.version }
  const unseen = lines.filter((line) => !opened.has(line.id)).length
  const undecided = lines.filter((line) => judged[line.id] === undefined).length
  const failed = lines.filter((line) => judged[line.id] === 'fail')
  const unreasoned = failed.filter((line) => !reasons[line.id]?.trim()).length
  const isThird = failed.length > 0 && file.rounds.filter((one) => one.recheckPassed === false).length + 1 >= failuresToPenalty
  const blocked = unseen
    ? `还有 ${unseen} 个问题没有看`
    : undecided
      ? `还有 ${undecided} 个问题未判定`
      : unreasoned
        ? `还有 ${unreasoned} 个不合格问题未写原因`
        : undefined

  const pass = async () => {
    const sure = await confirmDanger({
      thing: `复查合格并闭合 ${file.code ?? '整改单'}`,
      consequence: `${lines.length} 个问题闭合，整改单办结，不能再退回。${isStop(file.noticeType) ? '所列部位可以恢复施工。' : ''}`,
      verb: '复查合格',
      keep: '再看看',
    })
    if (sure)
      await act.run({ body: { ...key, action: 'recheckPass', opinion, second: second.trim() || null, onSite } }, { fieldsShown: true })
  }
  const fail = async () => {
    const sure =
      !isThird ||
      (await confirmDanger({
        thing: `第 ${failuresToPenalty} 次判 ${file.code ?? '整改单'} 复查不合格`,
        consequence: '确认后记入办理经过，并告知科室负责人：同一通知三次复查不合格，应提出行政处罚建议（监督文书 207）。',
        verb: '确认不合格',
        keep: '再看看',
      }))
    if (!sure) return
    const verdict = failed.map((line) => ({ id: line.id, opinion: reasons[line.id]?.trim() ?? '' }))
    const body = { ...key, action: 'recheckFail' as const, lines: verdict, second: second.trim() || null, deadline: deadline ?? null }
    await act.run({ body }, { fieldsShown: true })
  }
  return (
    <Card title="复查结论" remark={blocked ?? (failed.length ? `${failed.length} 个不合格` : '全部合格')}>
      <div className="zg-work-form">
        <label className="zg-label" htmlFor="recheck-second">
          第二名监督员
        </label>
        <Input id="recheck-second" maxLength={50} value={second} onChange={(event) => setSecond(event.target.value)} />
        {act.fieldErrors.second && <small className="tone-danger">{act.fieldErrors.second}</small>}
        {failed.length > 0 ? (
          <>
            <label className="zg-label" htmlFor="recheck-deadline">
              新的期限（不填则不变）
            </label>
            <DayInput id="recheck-deadline" min={file.deadline} value={deadline ?? null} onChange={setDeadline} />
          </>
        ) : (
          <>
            <label className="zg-label" htmlFor="recheck-opinion">
              意见
            </label>
            <Input.TextArea
              id="recheck-opinion"
              rows={2}
              maxLength={500}
              value={opinion}
              onChange={(event) => setOpinion(event.target.value)}
            />
            <Checkbox checked={onSite} onChange={(event) => setOnSite(event.target.checked)}>
              已到现场复查{file.mustVisit && '（重大隐患、停工整改必须到现场）'}
            </Checkbox>
            {act.fieldErrors.onSite && <small className="tone-danger">{act.fieldErrors.onSite}</small>}
          </>
        )}
        {isThird && <Notice tone="danger">这将是第 {failuresToPenalty} 次复查不合格，应提出行政处罚建议。</Notice>}
        <p className="zg-row zg-gap-6">
          {failed.length === 0 ? (
            <Button type="primary" size="large" disabled={blocked !== undefined} loading={act.running} onClick={() => void pass()}>
              复查合格，办下一份
            </Button>
          ) : (
            <Button danger size="large" disabled={blocked !== undefined} loading={act.running} onClick={() => void fail()}>
              退回 {failed.length} 个问题
            </Button>
          )}
          {blocked && <span className="zg-2">{blocked}</span>}
        </p>
      </div>
    </Card>
  )
}

/** Opens the reply that waits longest, or the list when none is left. */
function useNextReply(id: string): () => Promise<void> {
  const go = useGo()
  return async () => {
    const { list } = await call(listReplies, { query: { view: 'reply', tab: 'recheck', forMe: true, size: 2 } })
    const next = list.find((one) => one.id !== id)
    if (next) return go('/jgt/project/shenhe', { id: next.id }, { replace: true })
    notify.info('待复查的回复已全部办完')
    go('/jgt/project/zghf_index', {}, { replace: true })
  }
}
