import type { PatrolDetail } from '@zhugong/contract/checks/patrol'
import { changeSecurityCheck, createSecurityCheck, getSecurityCheck, securityHints } from '@zhugong/contract/checks/security-check'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import { AutoComplete, Button, Input } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, Forbidden } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { PageTitle } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { PlacePicker } from '../places/public.tsx'
import { writtenProblem } from './patrol-parts.tsx'
import { emptyProblem, isTouched, type Problem, ProblemEditor } from './problem-editor.tsx'
import { ProblemStack } from './problem-stack.tsx'
import { anyProject, paths } from './security-words.tsx'
import './checks.css'

/** A round of the site on a phone: photograph first, one problem after another; a draft is opened again by `?id=`. */
export default function SecurityAddPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  return (
    <Can call={createSecurityCheck} fallback={<Forbidden code="inspection.check" />}>
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
  const { data, error, refetch } = useCall(getSecurityCheck, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Round projectCode={data.projectCode} draft={data} />
}

/** What a round holds on the device until it is sent. */
interface FormDraft {
  id: string
  part: string
  /** Missing in what was kept before there were places. */
  placeId?: string | null
  remark: string
  problems: Problem[]
  /** The problem being written. */
  current: Problem
  /** The problem of the stack that is being changed; null: a new one. */
  at: number | null
}

function Round({ projectCode, draft }: { projectCode: string; draft?: PatrolDetail }) {
  const page = usePage()
  const [fresh] = useState<FormDraft>(() => ({
    id: draft?.id ?? uid(),
    part: draft?.part ?? '',
    placeId: draft?.placeId ?? null,
    remark: draft?.remark ?? '',
    problems: draft?.problems.map(writtenProblem) ?? [],
    current: emptyProblem(),
    at: null,
  }))
  // A round survives a closed browser; a draft of the server that was changed elsewhere begins anew.
  const [held, hold, clear] = useDeviceDraft(draft ? `check ${draft.id} ${draft.version}` : `check ${projectCode}`, fresh)
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true, offline: true })
  const hints = useCall(securityHints, { query: { projectCode } }, { quiet: true, offline: true })
  const { id, part, placeId = null, remark, problems, current, at } = held ?? fresh
  const set = (change: Partial<FormDraft>) => hold({ ...(held ?? fresh), ...change })
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const saved = { onDone: () => leave(hrefOf(paths.list, { tab: 'own' })), onKept: () => leave(paths.list) }
  const submitted = { success: '检查已提交', onDone: () => leave(hrefOf(paths.detail, { id })), onKept: () => leave(paths.list) }
  const make = { save: useFieldAct(createSecurityCheck, saved), submit: useFieldAct(createSecurityCheck, submitted) }
  const change = { save: useFieldAct(changeSecurityCheck, saved), submit: useFieldAct(changeSecurityCheck, submitted) }
  const acts = [make.save, make.submit, change.save, change.submit]
  const running = acts.some((one) => one.running)
  const wrong = Object.assign({}, ...acts.map((one) => one.fieldErrors)) as Readonly<Record<string, string>>
  if (!held) return <DetailSkeleton />

  const send = (action: 'save' | 'submit') => {
    const kept = { photos: draft?.photos ?? [], checkers: draft?.checkers ?? [] }
    const body = { action, part, placeId, remark: remark || null, ...kept, problems }
    const query = { projectCode }
    const about = {
      id,
      title: `安全检查 ${part}`,
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
      current: emptyProblem(problem),
      part: part || problem.part,
    })
  const submit = async () => {
    const major = problems.filter((one) => one.dangerLevel === majorLevel)
    const sure =
      major.length === 0 ||
      (await confirmDanger({
        thing: `提交 ${major.length} 个重大事故隐患`,
        consequence: '提交后立即通知项目经理、施工单位、监理单位和监督机构，并下发整改通知，不能撤回。',
        verb: '提交并通知',
        keep: '再核对一下',
      }))
    if (sure) await send('submit')
  }
  const touched = isTouched(current)
  return (
    <div className="zg-page">
      <PageTitle title="安全检查" remark="随写随存在本机，没有网络也能提交" />
      <div className="check-field">
        <div>
          <Card title="检查部位">
            <AutoComplete
              aria-label="检查部位"
              className="check-part"
              value={part}
              maxLength={100}
              placeholder="楼栋、楼层、区域，例如 1# 楼五层"
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
          <ProblemEditor
            key={at ?? `new ${problems.length}`}
            title={at === null ? `问题 ${problems.length + 1}` : `修改问题 ${at + 1}`}
            value={current}
            roundPart={part}
            roundPlaceId={placeId}
            projectCode={projectCode}
            corps={people.data?.corps ?? []}
            hints={hints.data}
            running={running}
            onChange={(next) => {
              set({ current: next })
            }}
            onKeep={keep}
            onCancel={at === null ? undefined : () => set({ at: null, current: emptyProblem() })}
          />
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
        <Button size="large" loading={running} disabled={part === ''} onClick={() => void send('save')}>
          存草稿
        </Button>
        <Button type="primary" size="large" loading={running} disabled={touched} onClick={() => void submit()}>
          {touched ? '先加入正在填写的问题' : problems.length > 0 ? `提交 ${problems.length} 个问题` : '无问题提交'}
        </Button>
      </div>
    </div>
  )
}
