import { changeDayCheck, type DayCheckDetail } from '@zhugong/contract/daychecks/calls'
import { type DayProblem, leastOfficers } from '@zhugong/contract/daychecks/moves'
import { dayMs } from '@zhugong/contract/kit/time'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { usualDays } from '@zhugong/contract/rectify/moves'
import { itemResults, mustBeIssued } from '@zhugong/contract/scoring/score'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, Notice, Tag } from '#kit/feedback.tsx'
import { useOnline } from '#kit/field/online.ts'
import { useOutbox } from '#kit/field/outbox.ts'
import { isOnDevice } from '#kit/field/photos.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { day } from '#kit/format.ts'
import { Choice } from '#kit/inputs.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { SignaturePad } from '#kit/signature-pad.tsx'
import { uid } from '#kit/uid.ts'
import { GradeTag, marks } from '../scoring/public.tsx'
import { Problems } from './check-step.tsx'
import type { CheckDraft } from './day-draft.ts'

interface StepProps {
  file: DayCheckDetail
  draft: CheckDraft
  onChange: (more: Partial<CheckDraft>) => void
  onSent: () => void
}
const contractorPart = '009'

/** The score as it stands, the problems as notices, the conclusion and the signatures. */
export function ConcludeStep({ file, draft: kept, onChange, onSent }: StepProps) {
  const page = usePage()
  const key = useId()
  const dicts = useDicts('projectPhase', 'checkResult')
  const people = useCall(rectifyPeople, { query: { projectCode: file.projectCode } }, { quiet: true, offline: true })
  const online = useOnline()
  const waiting = useOutbox((box) => box.waiting.length)
  const [actKey] = useState(() => uid())
  const corps = people.data?.corps ?? []
  const contractor = corps.find(({ part }) => part === contractorPart)?.code ?? corps[0]?.code ?? ''
  // A problem may have been taken over before the companies were known.
  const draft = { ...kept, problems: kept.problems.map((one) => (one.corpCode ? one : { ...one, corpCode: contractor })) }
  const nobody = draft.problems.findIndex((one) => !one.corpCode)
  const act = useFieldAct(changeDayCheck, {
    success: '检查已提交',
    onDone: () => {
      onSent()
      page.leave(hrefOf('/jgt/daycheck/checkResult', { id: file.id }))
    },
  })
  const saving = useAct(changeDayCheck, { success: '已保存到服务器' })
  const lost = lostItems(file).filter(
    ({ item, unit }) => !draft.problems.some((one) => one.itemCode === item.itemCode && one.part === unit),
  )
  const grave = lost.filter(({ item }) => item.maxScore > 0 && mustBeIssued(item))
  const takeOver = (all: readonly Lost[]) => onChange({ problems: [...draft.problems, ...all.map((one) => proposed(one, contractor))] })
  const undone = file.units.filter((one) => !one.done)
  const signed = file.checkers.filter((_, i) => draft.signatures[`checker${i + 1}`]).length
  const hindered =
    undone.length > 0
      ? `还有 ${undone.length} 个单体没有完成：${undone.map((one) => one.name).join('、')}`
      : nobody >= 0
        ? `第 ${nobody + 1} 个问题未选责任单位`
        : grave.length > 0
          ? `${grave.length} 个失分过半的检查项还没有列为问题`
          : waiting > 0
            ? `本机还有 ${waiting} 项待传，传完才能提交`
            : !online
              ? '没有网络，联网后提交；填写的内容已存在本机'
              : !draft.conclusion
                ? '请选择检查结论'
                : signed < leastOfficers
                  ? `还需 ${leastOfficers - signed} 名检查人员签名`
                  : undefined
  const content = {
    actKey,
    progress: draft.progress ?? file.progress,
    conclusion: draft.conclusion,
    summary: draft.summary,
    problems: [...draft.problems],
  }
  const submit = async () => {
    const sure = await confirmDanger({
      thing: `提交 ${file.projectName} 的检查`,
      consequence: `得分 ${marks(file.score)} 冻结，${noticesOf(draft.problems).length} 份整改通知立即下发，项目方和监理可见。`,
      verb: '提交',
      keep: '再看看',
    })
    if (!sure) return
    const signatures = Object.entries(draft.signatures).map(([seat, one]) => ({ seat, place: null, ...one }))
    await act.run(
      { params: { id: file.id }, query: { projectCode: '*' }, body: { action: 'submit', version: file.version, ...content, signatures } },
      { id: `daycheck ${file.id}`, title: `提交检查 ${file.projectName}`, page: `/jgt/daycheck/edit?id=${file.id}`, lines: [] },
    )
  }
  const sign = (seat: string, name: string | null, image: string | undefined) => {
    const { [seat]: before, ...others } = draft.signatures
    onChange({ signatures: image ? { ...others, [seat]: { id: before?.id ?? uid(), name, image } } : others })
  }
  const error = (field: string) => act.fieldErrors[field] && <small className="tone-danger">{act.fieldErrors[field]}</small>
  const onDevice = draft.problems.some((one) => [...one.photos, ...one.mendedPhotos].some(isOnDevice))
  return (
    <>
      <Card title="得分" remark={file.score === null ? '没有评分项' : `${marks(file.score)} 分`} actions={<GradeTag grade={file.grade} />}>
        <p>{file.reason}。</p>
      </Card>
      {lost.length > 0 && (
        <Card
          title="不合格项"
          remark="失分过半的必须列为问题"
          actions={<Button onClick={() => takeOver(lost.filter(({ item }) => item.photos.length > 0))}>有照片的全部列为问题</Button>}
        >
          <ul className="day-problems">
            {lost.map((one) => (
              <li key={`${one.unit}${one.item.itemCode}`}>
                <p>
                  <b>{one.unit}</b> {one.item.name}
                  {one.item.deduction > 0 && `，扣 ${one.item.deduction} 分`} {grave.includes(one) && <Tag tone="danger">必须下发</Tag>}
                </p>
                <span className="zg-row zg-gap-6">
                  <span className="zg-2">{one.item.note}</span>
                  <button type="button" className="zg-bare zg-link zg-end" onClick={() => takeOver([one])}>
                    列为问题
                  </button>
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Problems file={file} draft={draft} onChange={onChange} />
      <NoticePreview problems={draft.problems} corps={corps} group={file.checkerGroupName} />
      <Card title="结论">
        <div className="day-fields">
          <div>
            <label className="zg-label" htmlFor={`${key}-progress`}>
              形象进度
            </label>
            <Choice
              id={`${key}-progress`}
              value={draft.progress ?? file.progress}
              options={dicts.options('projectPhase')}
              onChange={(progress) => onChange({ progress: progress ?? null })}
            />
            {error('progress')}
          </div>
          <div>
            <label className="zg-label" htmlFor={`${key}-conclusion`}>
              检查结论
            </label>
            <Choice
              id={`${key}-conclusion`}
              value={draft.conclusion}
              options={dicts.options('checkResult')}
              onChange={(conclusion) => onChange({ conclusion: conclusion ?? null })}
            />
            {error('conclusion')}
          </div>
          <div className="wide">
            <label className="zg-label" htmlFor={`${key}-summary`}>
              检查情况
            </label>
            <Input.TextArea
              id={`${key}-summary`}
              rows={3}
              maxLength={1000}
              value={draft.summary ?? ''}
              onChange={(event) => onChange({ summary: event.target.value || null })}
            />
            {error('summary')}
          </div>
        </div>
      </Card>
      <Card title="签名" remark={`检查人员 ${signed} / ${file.checkers.length}，项目方和监理可当场签`}>
        <div className="day-signs">
          {file.checkers.map((name, i) => (
            <Signer
              key={name}
              title={`监督人员 ${name}`}
              name={name}
              kept={draft.signatures[`checker${i + 1}`]?.image}
              onSign={(image) => sign(`checker${i + 1}`, name, image)}
            />
          ))}
          <PartySigner title="项目负责人" kept={draft.signatures.site} onSign={(name, image) => sign('site', name, image)} />
          <PartySigner title="总监理工程师" kept={draft.signatures.supervisor} onSign={(name, image) => sign('supervisor', name, image)} />
        </div>
        {error('signatures')}
      </Card>
      <div className="day-bar">
        <Button
          type="primary"
          size="large"
          loading={act.running}
          disabled={!file.mine || hindered !== undefined}
          onClick={() => void submit()}
        >
          提交检查
        </Button>
        <Button
          size="large"
          loading={saving.running}
          disabled={!file.mine || !online || onDevice}
          onClick={() =>
            void saving.run({
              params: { id: file.id },
              query: { projectCode: '*' },
              body: { action: 'save', version: file.version, ...content, actKey: uid() },
            })
          }
        >
          保存
        </Button>
        {hindered && <span className="zg-2">{hindered}</span>}
        {Object.keys(act.fieldErrors).length > 0 && <span className="tone-danger">{Object.values(act.fieldErrors)[0]}</span>}
      </div>
    </>
  )
}

interface Lost {
  unit: string
  item: DayCheckDetail['units'][number]['sheets'][number]['items'][number]
}
const lostItems = (file: DayCheckDetail): Lost[] =>
  file.units.flatMap((unit) =>
    unit.sheets.flatMap((sheet) =>
      sheet.notApplicable === null
        ? sheet.items.filter((one) => one.result === itemResults.wrong).map((item) => ({ unit: unit.name, item }))
        : [],
    ),
  )

/** What a failed item becomes unless the officers write otherwise. */
const proposed = ({ unit, item }: Lost, corpCode: string): DayProblem => ({
  description: item.note && item.note.length >= 5 ? item.note : `${item.name}不符合要求${item.note ? `：${item.note}` : ''}`,
  part: unit,
  placeId: null,
  pin: null,
  itemCode: item.itemCode,
  clause: item.clause,
  dangerLevel: '1',
  majorClause: null,
  requirement: `按“${item.name}”要求整改到位`,
  corpCode,
  person: null,
  deadline: day(Date.now() + (usualDays[1] ?? 0) * dayMs),
  photos: item.photos,
  mended: null,
  mendedPhotos: [],
  noticeType: null,
})

const atOnce = '1'
const term = '2'
/** The notices that the problems become: one for each company, kind and deadline. */
function noticesOf(problems: readonly DayProblem[]): { kind: string; corpCode: string; deadline: string; lines: DayProblem[] }[] {
  const groups = Map.groupBy(problems, (one) =>
    one.mended ? `${atOnce} ${one.corpCode}` : `${one.noticeType ?? term} ${one.corpCode} ${one.deadline}`,
  )
  return [...groups.values()].map((lines) => ({
    kind: lines[0]?.mended ? atOnce : (lines[0]?.noticeType ?? term),
    corpCode: lines[0]?.corpCode ?? '',
    deadline: lines[0]?.deadline ?? '',
    lines,
  }))
}

/** Every notice as it will leave. */
function NoticePreview({
  problems,
  corps,
  group,
}: {
  problems: readonly DayProblem[]
  corps: readonly { code: string; name: string }[]
  group: string
}) {
  const dicts = useDicts('rectifyNoticeType')
  const notices = noticesOf(problems)
  if (notices.length === 0) return <Notice tone="info">没有问题，提交后直接结束，不下发整改。</Notice>
  return (
    <Card title="将下发的整改通知" remark={`${notices.length} 份`}>
      {notices.map(({ kind, corpCode, deadline, lines }) => (
        <details key={`${kind}${corpCode}${deadline}`} className="day-paper" open={notices.length === 1}>
          <summary>
            <b>{dicts.options('rectifyNoticeType').find(({ value }) => value === kind)?.label}</b>{' '}
            {corps.find(({ code }) => code === corpCode)?.name ?? '未选责任单位'} · {lines.length} 个问题 ·{' '}
            {kind === atOnce ? '当场改正，立即闭合' : `期限 ${deadline}`}
          </summary>
          <p>{corps.find(({ code }) => code === corpCode)?.name}：</p>
          <p>经检查，你单位存在以下问题，请按要求整改{kind === atOnce ? '（已当场改正）' : `，于 ${deadline} 前回复`}：</p>
          <ol>
            {lines.map((one) => (
              <li key={`${one.part}${one.description}`}>
                {one.part}：{one.description}。{one.requirement}
              </li>
            ))}
          </ol>
          <p className="zg-2">{group}</p>
        </details>
      ))}
    </Card>
  )
}

function Signer({ title, name, kept, onSign }: { title: string; name: string; kept: string | undefined; onSign: (png?: string) => void }) {
  if (kept)
    return (
      <div>
        <span className="zg-label">{title}</span>
        <img src={kept} alt={`${name}的签名`} width={240} />
        <button type="button" className="zg-bare zg-link" onClick={() => onSign(undefined)}>
          重签
        </button>
      </div>
    )
  return (
    <div>
      <span className="zg-label">{title}</span>
      <SignOnce onSign={onSign} />
    </div>
  )
}

/** Somebody of the site: the name first, then the drawing. */
function PartySigner({
  title,
  kept,
  onSign,
}: {
  title: string
  kept: { name: string | null; image: string } | undefined
  onSign: (name: string, png?: string) => void
}) {
  const [name, setName] = useState(kept?.name ?? '')
  if (kept) return <Signer title={`${title} ${kept.name ?? ''}`} name={title} kept={kept.image} onSign={() => onSign(name, undefined)} />
  return (
    <div>
      <span className="zg-label">{title}（可不签）</span>
      <Input
        size="large"
        maxLength={50}
        aria-label={`${title}姓名`}
        placeholder="姓名"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {name.trim() && <SignOnce onSign={(image) => onSign(name.trim(), image)} />}
    </div>
  )
}

/** A pad whose drawing is taken over by a button: several strokes are one signature. */
function SignOnce({ onSign }: { onSign: (png: string | undefined) => void }) {
  const [png, setPng] = useState<string>()
  return (
    <>
      <SignaturePad onChange={setPng} />
      <Button disabled={!png} onClick={() => onSign(png)}>
        确认签名
      </Button>
    </>
  )
}
