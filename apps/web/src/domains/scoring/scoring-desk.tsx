import {
  changeInspection,
  getInspection,
  type InspectionDetail,
  type InspectionSheet,
  removeInspection,
} from '@zhugong/contract/scoring/inspections'
import { itemResults, type ScoredSheet, scoreAll } from '@zhugong/contract/scoring/score'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { refresh, useAct } from '#kit/call.ts'
import { Tag } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage } from '#kit/page.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { GradeTag, marks } from './score-words.tsx'
import { type Found, foundOf, SheetCards } from './sheet-cards.tsx'
import { SubmitForm } from './submit-form.tsx'
import { TaskOf } from './task-form.tsx'

/** What was changed on this device and is not saved yet, by sheet and item. */
type Unsaved = Readonly<Record<string, Readonly<Record<string, Found>>>>
const nothing: Unsaved = {}
/** What waits on this device for the network, by sheet: shown until the server has counted the sheet up to this version. */
type Pending = Readonly<Record<string, { upTo: number; items: Readonly<Record<string, Found>>; notApplicable: string | null }>>

const isWhole = ({ result, deduction, reason }: Found) =>
  result === itemResults.wrong ? deduction > 0 : result === itemResults.notApplicable ? Boolean(reason?.trim()) : true

const waitsFor = (sheet: InspectionSheet, pending: Pending) => {
  const own = pending[sheet.id]
  return own && sheet.version < own.upTo ? own : undefined
}
/** A sheet as it stands on this device. */
function withChanges(sheet: InspectionSheet, changes: Unsaved, pending: Pending): InspectionSheet {
  const waiting = waitsFor(sheet, pending)
  const items = sheet.items.map((item) => ({ ...item, ...waiting?.items[item.itemCode], ...changes[sheet.id]?.[item.itemCode] }))
  return { ...sheet, items, notApplicable: waiting ? waiting.notApplicable : sheet.notApplicable }
}

const scoredOf = ({ name, category, notApplicable, items }: InspectionSheet): ScoredSheet => ({
  name,
  category,
  notApplicable: notApplicable !== null,
  items,
})

const taskTab = 'task'
const submitTab = 'submit'

/** The field page of a running inspection: sheets with their progress, the score as it stands, and what becomes of it. */
export function ScoringDesk({ file }: { file: InspectionDetail }) {
  const page = usePage()
  const go = useGo()
  const [shown, setShown] = useState(file.sheets.find((one) => !one.done)?.id ?? submitTab)
  const [kept, setKept] = useDeviceDraft<Unsaved>(`inspection ${file.id}`, nothing)
  const changes = kept ?? nothing
  // A photograph may arrive while something else is typed: merged with what is newest.
  const latest = useRef(changes)
  latest.current = changes
  const put = (sheetId: string, items: Readonly<Record<string, Found>>) => {
    latest.current = { ...latest.current, [sheetId]: items }
    setKept(latest.current)
  }
  const [pending, setPending] = useState<Pending>({})
  // A save counts the version of its sheet; the answer that shows it may come later than the next save.
  const versions = useRef(new Map<string, number>())
  const outcome = useRef<'sent' | 'kept' | 'refused'>('refused')
  const act = useFieldAct(changeInspection, {
    success: '检查表已保存',
    onDone: () => {
      outcome.current = 'sent'
    },
    onKept: () => {
      outcome.current = 'kept'
    },
  })
  const removal = useAct(removeInspection, { success: '已删除', onDone: () => go('/safetyInspection/list') })
  const dirty = Object.values(changes).some((one) => Object.keys(one).length > 0)
  useUnsaved(dirty, page.cacheKey, '安全巡检评分')
  const sheets = file.sheets.map((sheet) => withChanges(sheet, changes, pending))
  const current = sheets.find((one) => one.id === shown)
  const live = scoreAll(sheets.map(scoredOf), file.categories)
  const done = file.sheets.filter((one) => one.done).length

  const save = async (sheet: InspectionSheet, notApplicable: string | null = sheet.notApplicable): Promise<boolean> => {
    const given = Object.entries(latest.current[sheet.id] ?? {}).filter(([, one]) => isWhole(one))
    if (given.length === 0 && notApplicable === sheet.notApplicable) return true
    const version = Math.max(sheet.version, versions.current.get(sheet.id) ?? 0)
    const items = given.map(([itemCode, { result, deduction, note, photos, reason }]) => ({
      itemCode,
      result,
      deduction,
      note,
      photos,
      reason,
    }))
    outcome.current = 'refused'
    await act.run(
      {
        params: { id: file.id },
        query: { projectCode: '*' },
        body: { action: 'saveSheet', version, sheetId: sheet.id, notApplicable, items },
      },
      {
        id: `sheet ${sheet.id} ${version}`,
        title: `安全巡检 ${sheet.name}${sheet.label}`,
        page: `/safetyInspection/edit?id=${file.id}`,
        lines: given.map(([code, { deduction, note }]) => ({
          label: sheet.items.find(({ itemCode }) => itemCode === code)?.name ?? code,
          text: deduction > 0 ? `扣 ${deduction} 分 ${note ?? ''}` : '',
        })),
      },
    )
    const result: string = outcome.current
    if (result === 'refused') {
      // A colleague may have saved the sheet: the page reads it again and keeps what was typed here.
      refresh(getInspection)
      return false
    }
    versions.current.set(sheet.id, version + 1)
    if (result === 'kept')
      setPending((now) => {
        const before = waitsFor(sheet, now)?.items
        return { ...now, [sheet.id]: { upTo: version + 1, items: { ...before, ...Object.fromEntries(given) }, notApplicable } }
      })
    const left = Object.entries(latest.current[sheet.id] ?? {}).filter(([code, one]) =>
      given.every(([saved, sent]) => saved !== code || sent !== one),
    )
    put(sheet.id, Object.fromEntries(left))
    return true
  }
  const open = async (id: string) => {
    if (current && !(await save(current))) return
    setShown(id)
  }
  const remove = () =>
    removal.afterRequesting(
      {
        thing: `删除 ${file.projectName} 的安全巡检`,
        consequence: `已查的 ${done} 张检查表和照片一并删除，不能恢复。`,
        verb: '删除',
        keep: '保留',
      },
      { params: { id: file.id }, query: { projectCode: '*' } },
    )

  return (
    <PageShell
      title={file.projectName}
      remark={`${file.inspectTypeName} · ${file.checkTime.slice(0, 16)} · ${file.checkers.join('、')}`}
      actions={
        <Button danger loading={removal.running} onClick={() => void remove()}>
          删除
        </Button>
      }
    >
      <div className="scoring-desk">
        <div className="scoring-live" role="status">
          <span className="score">{marks(live.score)}</span>
          <span>
            <GradeTag grade={live.grade} />
            <small className="zg-2">
              已查完 {done} / {file.sheets.length} 张，按已查项折算
            </small>
          </span>
          {live.weakest && <span className="zg-2 zg-end">失分最多：{live.weakest.name}</span>}
        </div>
        <nav className="scoring-tabs" aria-label="检查表">
          <button type="button" aria-current={shown === taskTab} onClick={() => void open(taskTab)}>
            <b>分工</b>
            <small>{file.checkers.length} 人</small>
          </button>
          {sheets.map((sheet) => (
            <button key={sheet.id} type="button" aria-current={sheet.id === shown} onClick={() => void open(sheet.id)}>
              <b>
                {sheet.name}
                {sheet.label && ` ${sheet.label}`}
              </b>
              <small>
                {sheet.assignee ?? '未分工'} · <Progress sheet={sheet} />
              </small>
            </button>
          ))}
          <button type="button" aria-current={shown === submitTab} onClick={() => void open(submitTab)}>
            <b>汇总与提交</b>
            <small>{done === file.sheets.length ? '可以提交' : `还差 ${file.sheets.length - done} 张`}</small>
          </button>
        </nav>
        {shown === taskTab && <TaskOf file={file} onDone={() => undefined} />}
        {shown === submitTab && <SubmitForm file={file} live={live} />}
        {current && (
          <SheetCards
            key={current.id}
            sheet={current}
            items={current.items}
            unsaved={Object.keys(changes[current.id] ?? {}).length}
            incomplete={Object.values(changes[current.id] ?? {}).filter((one) => !isWhole(one)).length}
            saving={act.running}
            onChange={(item, more) => {
              const own = latest.current[current.id]
              put(current.id, { ...own, [item.itemCode]: { ...(own?.[item.itemCode] ?? foundOf(item)), ...more } })
            }}
            onChangeAll={(all) => put(current.id, { ...latest.current[current.id], ...all })}
            onSave={(notApplicable) => save(current, notApplicable)}
            next={nextOf(sheets, current)}
            onNext={(id) => void open(id)}
          />
        )}
      </div>
    </PageShell>
  )
}

/** The next sheet to check, or the summary. */
function nextOf(sheets: readonly InspectionSheet[], sheet: InspectionSheet): { id: string; name: string } {
  const next = sheets.slice(sheets.indexOf(sheet) + 1).find((one) => !one.done)
  return next ? { id: next.id, name: `${next.name}${next.label}` } : { id: submitTab, name: '汇总与提交' }
}

function Progress({ sheet: { items, notApplicable } }: { sheet: InspectionSheet }) {
  if (notApplicable) return '不涉及'
  const checked = items.filter((item) => item.result !== itemResults.unchecked).length
  return checked === items.length ? <Tag tone="fine">查完</Tag> : `${checked} / ${items.length}`
}
