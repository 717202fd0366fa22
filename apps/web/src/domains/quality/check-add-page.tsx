import {
  changeQualityCheck,
  createQualityCheck,
  getQualityCheck,
  type QualityDetail,
  qualityHints,
} from '@zhugong/contract/quality/inspection'
import {
  itemFault,
  type QualityItemInput,
  type QualityProblemInput,
  qualityProblemInput,
  scaledPhotos,
  scaledProblems,
} from '@zhugong/contract/quality/inspection-moves'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { itemResults } from '@zhugong/contract/scoring/score'
import { AutoComplete, Button, Input } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, ErrorPanel, Forbidden, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { Choice } from '#kit/inputs.tsx'
import { PageTitle } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { emptyProblem, isTouched, Labelled, ProblemEditor, ProblemStack, writtenProblem } from '../checks/public.tsx'
import { PlacePicker } from '../places/public.tsx'
import { ItemEditor } from './item-editor.tsx'
import { anyProject, checkPaths as paths } from './quality-words.tsx'
import './quality.css'

/** At the part, on a phone: item, finding, photograph, person; a draft is opened again by `?id=`. */
export default function QualityAddPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  return (
    <Can call={createQualityCheck} fallback={<Forbidden code="inspection.check" />}>
      {id ? (
        <Draft id={id} />
      ) : projectCode === '*' ? (
        <ProjectPicker why="检查哪个项目" />
      ) : (
        <Round key={projectCode} projectCode={projectCode} />
      )}
    </Can>
  )
}

function Draft({ id }: { id: string }) {
  const { data, error, refetch } = useCall(getQualityCheck, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Round projectCode={data.projectCode} draft={data} />
}

type Problem = QualityProblemInput
const newProblem = (last?: Problem): Problem => ({
  ...emptyProblem(last),
  itemCode: '',
  qualityProblem: '',
  measured: null,
  standard: null,
})
const problemOf = ({ itemName: _item, qualityProblemName: _name, times: _times, ...one }: QualityDetail['problems'][number]): Problem =>
  writtenProblem({ ...one })
const itemOf = ({ itemCode, result, measured, standard, note }: QualityDetail['items'][number]): QualityItemInput => ({
  itemCode,
  result,
  measured,
  standard,
  note,
})

/** What a check holds on the device until it is sent. */
interface FormDraft {
  id: string
  part: string
  placeId: string | null
  remark: string
  items: QualityItemInput[]
  problems: Problem[]
  /** The problem being written. */
  current: Problem
  /** The problem of the stack that is being changed; null: a new one. */
  at: number | null
}

function Round({ projectCode, draft }: { projectCode: string; draft?: QualityDetail }) {
  const page = usePage()
  const [fresh] = useState<FormDraft>(() => ({
    id: draft?.id ?? uid(),
    part: draft?.part ?? '',
    placeId: draft?.placeId ?? null,
    remark: draft?.remark ?? '',
    items: draft?.items.map(itemOf) ?? [],
    problems: draft?.problems.map(problemOf) ?? [],
    current: newProblem(),
    at: null,
  }))
  // A check survives a closed browser; a draft of the server that was changed elsewhere begins anew.
  const [held, hold, clear] = useDeviceDraft(draft ? `quality ${draft.id} ${draft.version}` : `quality ${projectCode}`, fresh)
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true, offline: true })
  const hints = useCall(qualityHints, { query: { projectCode } }, { quiet: true, offline: true })
  const { id, part, placeId, remark, items, problems, current, at } = held ?? fresh
  const set = (change: Partial<FormDraft>) => hold({ ...(held ?? fresh), ...change })
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const saved = { onDone: () => leave(hrefOf(paths.list, { tab: 'own' })), onKept: () => leave(paths.list) }
  const submitted = { success: '检查已提交', onDone: () => leave(hrefOf(paths.detail, { id })), onKept: () => leave(paths.list) }
  const make = { save: useFieldAct(createQualityCheck, saved), submit: useFieldAct(createQualityCheck, submitted) }
  const change = { save: useFieldAct(changeQualityCheck, saved), submit: useFieldAct(changeQualityCheck, submitted) }
  const acts = [make.save, make.submit, change.save, change.submit]
  const running = acts.some((one) => one.running)
  const wrong = Object.assign({}, ...acts.map((one) => one.fieldErrors)) as Readonly<Record<string, string>>
  if (!held) return <DetailSkeleton />

  const send = (action: 'save' | 'submit') => {
    const kept = { photos: draft?.photos ?? [], checkers: draft?.checkers ?? [] }
    const body = { action, part, placeId, remark: remark || null, ...kept, items, problems }
    const query = { projectCode }
    const about = {
      id,
      title: `质量检查 ${part}`,
      page: paths.list,
      lines: problems.map((one, i) => ({ label: `问题 ${i + 1}`, text: one.description })),
    }
    return draft
      ? change[action].run({ params: { id }, query, body: { version: draft.version, ...body } }, about)
      : make[action].run({ query, body: { id, ...body } }, about)
  }
  const keep = (problem: Problem) =>
    set({
      problems: at === null ? [...problems, problem] : problems.map((one, i) => (i === at ? problem : one)),
      at: null,
      current: newProblem(problem),
      part: part || problem.part,
    })
  const touched = isTouched(current)
  const failing = items.filter((one) => one.result === itemResults.wrong)
  const missing = itemFault(items, problems)
  const hindered = touched ? '先加入正在填写的问题' : items.length === 0 ? '先选择检查项' : missing?.message
  return (
    <div className="zg-page">
      <PageTitle title="质量检查" remark="随写随存在本机，没有网络也能提交" />
      <div className="check-field">
        <div>
          <Card title="检查部位">
            <AutoComplete
              aria-label="检查部位"
              className="check-part"
              value={part}
              maxLength={100}
              placeholder="楼栋、楼层、轴线、房间，例如 1# 楼五层 3-5 轴墙柱"
              options={(hints.data?.parts ?? []).filter((one) => one.includes(part)).map((value) => ({ value }))}
              status={wrong.part ? 'error' : undefined}
              onChange={(value: string) => set({ part: value })}
            />
            {wrong.part && <small className="tone-danger">{wrong.part}</small>}
            <PlacePicker
              projectCode={projectCode}
              placeId={placeId}
              offline
              onChange={(chosen, place) => set({ placeId: chosen?.placeId ?? null, part: part || (place?.fullName ?? '') })}
            />
            {wrong.placeId && <small className="tone-danger">{wrong.placeId}</small>}
          </Card>
          <ItemEditor items={items} recent={hints.data?.items ?? []} wrong={wrong} onChange={(next) => set({ items: next })} />
          {failing.length > 0 && (
            <ProblemEditor<Problem>
              key={at ?? `new ${problems.length}`}
              title={at === null ? `问题 ${problems.length + 1}` : `修改问题 ${at + 1}`}
              value={current.itemCode ? current : { ...current, ...seedOf(failing, problems) }}
              roundPart={part}
              roundPlaceId={placeId}
              projectCode={projectCode}
              corps={people.data?.corps ?? []}
              hints={hints.data}
              running={running}
              schema={qualityProblemInput}
              onChange={(next) => set({ current: next })}
              onKeep={keep}
              onCancel={at === null ? undefined : () => set({ at: null, current: newProblem() })}
              fromPhrase={(one) => {
                const found = hints.data?.phrases.find((phrase) => phrase.description === one.description)
                return found?.qualityProblem ? { qualityProblem: found.qualityProblem } : {}
              }}
              fault={({ qualityProblem, photos }) =>
                scaledProblems.includes(qualityProblem) && photos.length < scaledPhotos
                  ? { photos: `裂缝、空鼓须附全景和带标尺的近景照片，至少 ${scaledPhotos} 张` }
                  : {}
              }
              more={(faults, change) => (
                <Defect
                  faults={faults}
                  items={failing}
                  value={current.itemCode ? current : { ...current, ...seedOf(failing, problems) }}
                  onChange={change}
                />
              )}
            />
          )}
          <ProblemStack
            problems={problems}
            wrong={wrong}
            onChange={(i) => set({ at: i, current: problems[i] as Problem })}
            onRemove={(i) => set({ problems: problems.filter((_, n) => n !== i) })}
          />
          <Card title="检查情况" remark="可不填">
            <Input.TextArea
              aria-label="检查情况"
              rows={2}
              maxLength={500}
              placeholder="检查了什么；没有问题时也可以写一句"
              value={remark}
              onChange={(event) => set({ remark: event.target.value })}
            />
          </Card>
        </div>
      </div>
      <div className="check-bar">
        <Button size="large" loading={running} disabled={part === '' || items.length === 0} onClick={() => void send('save')}>
          存草稿
        </Button>
        <Button type="primary" size="large" loading={running} disabled={hindered !== undefined} onClick={() => void send('submit')}>
          {hindered ?? (problems.length > 0 ? `提交 ${problems.length} 个问题` : '合格提交')}
        </Button>
      </div>
    </div>
  )
}

/** A new problem is about the first failed item that has none, with what was measured there. */
function seedOf(failing: readonly QualityItemInput[], problems: readonly Problem[]): Pick<Problem, 'itemCode' | 'measured' | 'standard'> {
  const item = failing.find((one) => !problems.some((problem) => problem.itemCode === one.itemCode)) ?? failing[0]
  return { itemCode: item?.itemCode ?? '', measured: item?.measured ?? null, standard: item?.standard ?? null }
}

interface DefectProps {
  faults: Readonly<Record<string, string>>
  items: readonly QualityItemInput[]
  value: Problem
  onChange: (change: Partial<Problem>) => void
}

/** Which item and defect a problem is, and what was measured. */
function Defect({ faults, items, value, onChange }: DefectProps) {
  const dicts = useDicts('qualityProblem', 'qualityCheckItem')
  return (
    <>
      <Labelled label="检查项" problem={faults.itemCode}>
        {(id) => (
          <Choice
            id={id}
            clear={false}
            options={items.map(({ itemCode }) => ({ value: itemCode, label: dicts.name('qualityCheckItem', itemCode) }))}
            value={value.itemCode || null}
            onChange={(itemCode) => onChange({ itemCode: itemCode ?? '' })}
          />
        )}
      </Labelled>
      <Labelled label="质量通病" problem={faults.qualityProblem}>
        {() => (
          <div className="check-chips">
            {dicts.options('qualityProblem').map((one) => (
              <button
                key={one.value}
                type="button"
                aria-pressed={value.qualityProblem === one.value}
                onClick={() => onChange({ qualityProblem: one.value })}
              >
                {one.label}
              </button>
            ))}
          </div>
        )}
      </Labelled>
      {scaledProblems.includes(value.qualityProblem) && <Notice tone="warning">裂缝、空鼓请拍全景一张、带标尺的近景一张。</Notice>}
      <Labelled label="实测值（可不填）" problem={faults.measured}>
        {(id) => (
          <Input
            id={id}
            maxLength={60}
            value={value.measured ?? ''}
            onChange={(event) => onChange({ measured: event.target.value || null })}
          />
        )}
      </Labelled>
      <Labelled label="设计值与允许偏差（可不填）" problem={faults.standard}>
        {(id) => (
          <Input
            id={id}
            maxLength={60}
            value={value.standard ?? ''}
            onChange={(event) => onChange({ standard: event.target.value || null })}
          />
        )}
      </Labelled>
    </>
  )
}
