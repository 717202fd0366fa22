import { changeExamine, type ExamineDetail, examineProposal, removeExamine } from '@zhugong/contract/examine/calls'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import type { InspectionSheet } from '@zhugong/contract/scoring/inspections'
import { itemResults, scoreAll } from '@zhugong/contract/scoring/score'
import { Button } from 'antd'
import { useRef } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { FailFields, type Problem, removalOf } from '../checks/public.tsx'
import { foundOf, GradeTag, marks, SheetCards } from '../scoring/public.tsx'
import { begin, bodyOf, type DeskDraft, isDone, isWhole, type Lost, lostOf, problemOf, scoredOf, withDraft } from './desk-model.ts'
import { anyProject, paths } from './examine-words.tsx'
import { type Corps, HeadFields } from './head-fields.tsx'

export const headTab = 'head'
const submitTab = 'submit'
/** 总承包单位 in the parts of a project. */
const contractorPart = '009'

interface DeskProps {
  file: ExamineDetail
  shown: string
  onShow: (tab: string) => void
}

/** The field page of a running check: sheets with their progress, the score as it stands, and the problems it becomes. */
export function ExamineDesk({ file, shown, onShow }: DeskProps) {
  const page = usePage()
  const [fallback] = [begin(file)]
  const [kept, setKept, clear] = useDeviceDraft<DeskDraft>(`examine ${file.id} ${file.version}`, fallback)
  const deskDraft = kept ?? fallback
  // A photograph may arrive while something else is typed: merged with what is newest.
  const latest = useRef(deskDraft)
  latest.current = deskDraft
  const set = (more: Partial<DeskDraft>) => {
    latest.current = { ...latest.current, ...more }
    setKept(latest.current)
  }
  const query = { projectCode: file.projectCode }
  const people = useCall(rectifyPeople, { query }, { quiet: true, offline: true })
  const proposal = useCall(examineProposal, { query }, { quiet: true, offline: true })
  const saving = useFieldAct(changeExamine, { success: '已保存', onDone: clear, onKept: () => undefined })
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const submitting = useFieldAct(changeExamine, {
    success: '已提交，得分已冻结',
    onDone: () => leave(hrefOf(paths.detail, { id: file.id })),
    onKept: () => leave(paths.list),
  })
  const removal = useAct(removeExamine, { success: '草稿已删除', onDone: () => leave(paths.list) })
  const isDirty = JSON.stringify(deskDraft) !== JSON.stringify(fallback)
  useUnsaved(isDirty, page.cacheKey, '项目安全检查')
  if (!kept) return <DetailSkeleton />

  const corps = people.data?.corps ?? []
  const contractor = corps.find((one) => one.part === contractorPart)?.code ?? corps[0]?.code ?? ''
  const sheets = file.sheets.map((one) => withDraft(one, deskDraft))
  const live = scoreAll(sheets.map(scoredOf), file.categories)
  const current = sheets.find((one) => one.id === shown)
  const undone = sheets.filter((one) => !isDone(one))
  const lost = lostOf(sheets)
  const problems = lost.map((one) => problemOf(one, file, deskDraft, contractor))
  const faults = { ...saving.fieldErrors, ...submitting.fieldErrors }
  const send = (action: 'save' | 'submit') => {
    const body = bodyOf(file, latest.current, problems, action === 'submit')
    const act = action === 'save' ? saving : submitting
    return act.run(
      { params: { id: file.id }, query: anyProject, body: { action, version: file.version, ...body } },
      {
        id: `examine ${file.id} ${file.version} ${action}`,
        title: `项目安全检查 ${deskDraft.head.part}`,
        page: hrefOf(paths.form, { id: file.id }),
        lines: body.problems.map((one) => ({ label: one.part, text: one.description })),
      },
    )
  }
  const open = async (tab: string) => {
    if (isDirty && !(await send('save'))) return
    onShow(tab)
  }
  const submit = async () => {
    const sure = await confirmDanger({
      thing: `提交 ${file.projectName} 的安全检查`,
      consequence: `得分 ${marks(live.score)} 冻结，检查表不能再改；${problems.length} 个问题按责任单位和期限下发整改单。`,
      verb: '提交',
      keep: '再看看',
    })
    if (sure) await send('submit')
  }

  return (
    <PageShell
      title={file.projectName}
      remark={`${file.roundName} · ${file.checkTime.slice(0, 16)} · ${file.checkers.join('、')}`}
      actions={
        <Button
          danger
          loading={removal.running}
          onClick={() => void removal.afterRequesting(removalOf(file.part), { params: { id: file.id }, query: anyProject })}
        >
          删除草稿
        </Button>
      }
    >
      {/* What is typed while the sheets are being saved would not be in them. */}
      <fieldset className="scoring-desk examine-desk" disabled={saving.running || submitting.running} aria-label="检查表">
        <div className="scoring-live" role="status">
          <span className="score">{marks(live.score)}</span>
          <span>
            <GradeTag grade={live.grade} />
            <small className="zg-2">
              已查完 {sheets.length - undone.length} / {sheets.length} 张，按已查项折算
            </small>
          </span>
          <Button className="zg-end" loading={saving.running} disabled={!isDirty} onClick={() => void send('save')}>
            {isDirty ? '保存' : '已保存'}
          </Button>
        </div>
        <nav className="scoring-tabs" aria-label="检查表">
          <Tab name="检查信息" words={file.roundName} current={shown === headTab} onOpen={() => void open(headTab)} />
          {sheets.map((sheet) => (
            <Tab
              key={sheet.id}
              name={`${sheet.name}${sheet.label}`}
              words={progressOf(sheet)}
              done={isDone(sheet)}
              current={sheet.id === shown}
              onOpen={() => void open(sheet.id)}
            />
          ))}
          <Tab
            name="问题与提交"
            words={undone.length === 0 ? `${problems.length} 个问题` : `还差 ${undone.length} 张`}
            current={shown === submitTab}
            onOpen={() => void open(submitTab)}
          />
        </nav>
        {Object.keys(faults).length > 0 && (
          <Notice tone="danger">{[...new Set(Object.values(faults))].slice(0, mostFaults).join('；')}</Notice>
        )}
        {shown === headTab && (
          <HeadFields
            value={deskDraft.head}
            proposal={proposal.data}
            corps={corps}
            faults={faults}
            onChange={(more) => set({ head: { ...latest.current.head, ...more } })}
          />
        )}
        {current && (
          <SheetCards
            key={current.id}
            sheet={current}
            items={current.items}
            unsaved={Object.keys(deskDraft.found[current.id] ?? {}).length}
            incomplete={Object.values(deskDraft.found[current.id] ?? {}).filter((one) => !isWhole(one)).length}
            saving={saving.running}
            onChange={(item, more) => {
              const all = latest.current.found
              const own = { ...all[current.id], [item.itemCode]: { ...(all[current.id]?.[item.itemCode] ?? foundOf(item)), ...more } }
              set({ found: { ...all, [current.id]: own } })
            }}
            onChangeAll={(found) => {
              const all = latest.current.found
              set({ found: { ...all, [current.id]: { ...all[current.id], ...found } } })
            }}
            onSave={async (notApplicable) => {
              if (notApplicable !== undefined) set({ left: { ...latest.current.left, [current.id]: notApplicable } })
              await send('save')
              return true
            }}
            next={nextOf(sheets, current)}
            onNext={(tab) => void open(tab)}
          />
        )}
        {shown === submitTab && (
          <Problems
            lost={lost}
            problems={problems}
            corps={corps}
            faults={faults}
            onChange={(key, more) => set({ problems: { ...latest.current.problems, [key]: { ...latest.current.problems[key], ...more } } })}
          />
        )}
        {shown === submitTab && (
          <div className="scoring-bar">
            <Button type="primary" size="large" loading={submitting.running} disabled={undone.length > 0} onClick={() => void submit()}>
              提交 {marks(live.score)} 分
            </Button>
            {undone.length > 0 && <span className="zg-2">还没有查完：{undone.map(({ name, label }) => `${name}${label}`).join('、')}</span>}
          </div>
        )}
      </fieldset>
    </PageShell>
  )
}
const mostFaults = 3

function Tab({
  name,
  words,
  done,
  current,
  onOpen,
}: {
  name: string
  words: string
  done?: boolean
  current: boolean
  onOpen: () => void
}) {
  return (
    <button type="button" aria-current={current} onClick={onOpen}>
      <b>{name}</b>
      <small>{done ? <Tag tone="fine">查完</Tag> : words}</small>
    </button>
  )
}

function progressOf({ items, notApplicable }: InspectionSheet): string {
  if (notApplicable !== null) return '不涉及'
  return `${items.filter((item) => item.result !== itemResults.unchecked).length} / ${items.length}`
}

/** The next sheet to check, or the summary. */
function nextOf(sheets: readonly InspectionSheet[], sheet: InspectionSheet): { id: string; name: string } {
  const next = sheets.slice(sheets.indexOf(sheet) + 1).find((one) => !isDone(one))
  return next ? { id: next.id, name: `${next.name}${next.label}` } : { id: submitTab, name: '问题与提交' }
}

interface ProblemsProps {
  lost: readonly Lost[]
  problems: readonly (Problem & { itemCode: string })[]
  corps: Corps
  faults: Readonly<Record<string, string>>
  onChange: (key: string, more: Partial<Problem>) => void
}
/** A problem for every item that lost points; by company and deadline they become notices. */
function Problems({ lost, problems, corps, faults, onChange }: ProblemsProps) {
  if (lost.length === 0) return <Empty small text="没有失分项" hint="可以直接提交，作为已检查的记录保存" />
  const groups = Map.groupBy(problems, ({ corpCode, deadline, mended }) => `${corpCode} ${mended === null ? deadline : ''}`)
  return (
    <>
      <Notice tone="info">
        {problems.length} 个失分项将下发 {groups.size} 份整改单：同一责任单位、同一期限合为一份。
      </Notice>
      {lost.map(({ key, sheet, item }, i) => (
        <Card
          key={key}
          title={`${sheet.label || sheet.name} · ${item.name}`}
          remark={`扣 ${item.deduction} 分${item.guarantee ? '，保证项目' : ''}`}
        >
          {problems[i] && (
            <FailFields
              value={problems[i]}
              corps={corps}
              levels
              faults={Object.fromEntries(
                Object.entries(faults).flatMap(([field, words]) =>
                  field.startsWith(`problems.${i}.`) ? [[field.slice(`problems.${i}.`.length), words]] : [],
                ),
              )}
              onChange={(more) => onChange(key, more)}
            />
          )}
        </Card>
      ))}
    </>
  )
}
