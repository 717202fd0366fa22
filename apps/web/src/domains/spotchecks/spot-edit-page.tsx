import { listMaterials } from '@zhugong/contract/materials/calls'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { changeSpotCheck, createSpotCheck, getSpotCheck, type SpotDetail } from '@zhugong/contract/spotchecks/calls'
import { mostSpotFiles } from '@zhugong/contract/spotchecks/moves'
import {
  batchKinds,
  bodyKind,
  judge,
  oddReadings,
  type SpotTest,
  spotReadings,
  spotTests,
  testsOf,
} from '@zhugong/contract/spotchecks/readings'
import { Button, Input, Segmented, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, ErrorPanel, Forbidden, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { PageTitle } from '#kit/list-shell.tsx'
import { useMe, useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { PlacePicker } from '../places/public.tsx'
import { emptyReadings, ReadingsEditor, type Typed } from './readings-editor.tsx'
import { paths } from './spot-words.tsx'
import './spotchecks.css'

/** What was taken or measured, at what place, with what rule? A field page; `?id=` opens a draft. */
export default function SpotEditPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  return (
    <Can call={createSpotCheck} fallback={<Forbidden code="inspection.spotcheckEdit" />}>
      {id ? (
        <Draft id={id} />
      ) : projectCode === '*' ? (
        <ProjectPicker why="抽查哪个项目" />
      ) : (
        <Sheet key={projectCode} projectCode={projectCode} />
      )}
    </Can>
  )
}

function Draft({ id }: { id: string }) {
  const { data, error, refetch } = useCall(getSpotCheck, { params: { id } }, { quiet: true, staleMs: 0 })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Sheet projectCode={data.projectCode} draft={data} />
}

interface FormDraft {
  id: string
  kind: string
  part: string
  placeId: string | null
  unitId: string | null
  batchId: string | null
  corpCode: string
  checkDate: string
  checkers: string[]
  method: string
  designValue: string
  readings: Typed
  photos: string[]
  mode: 'site' | 'sample'
  actualValue: string
  passed: boolean | null
  sampleNo: string
  labOrg: string
  labDue: string
}

const usualMethods: Readonly<Record<SpotTest, string>> = {
  rebound: '回弹法 JGJ/T 23',
  thickness: '非破损法测厚 GB 50204 附录 F',
  scan: '电磁感应法 JGJ/T 152',
  material: '见证取样送检',
  other: '现场检查',
}
const labDays = 7

function freshOf(draft: SpotDetail | undefined, name: string): FormDraft {
  return {
    id: draft?.id ?? uid(),
    kind: draft?.kind ?? bodyKind,
    part: draft?.part ?? '',
    placeId: draft?.placeId ?? null,
    unitId: draft?.unitId ?? null,
    batchId: draft?.batchId ?? null,
    corpCode: draft?.corpCode ?? '',
    checkDate: draft?.checkDate ?? day(Date.now()),
    checkers: draft?.checkers ?? [name],
    method: draft?.method ?? usualMethods.rebound,
    designValue: draft?.designValue ?? '',
    readings: draft ? (draft.readings as unknown as Typed) : emptyReadings('rebound'),
    photos: draft?.photos ?? [],
    mode: draft && draft.test === 'material' ? 'sample' : 'site',
    actualValue: '',
    passed: null,
    sampleNo: '',
    labOrg: '',
    labDue: day(Date.now() + labDays * 86_400_000),
  }
}

function Sheet({ projectCode, draft }: { projectCode: string; draft?: SpotDetail }) {
  const page = usePage()
  const name = useMe((me) => me.info?.name ?? '')
  const [fresh] = useState(() => freshOf(draft, name))
  const [held, hold, clear] = useDeviceDraft(draft ? `spot ${draft.id} ${draft.version}` : `spot ${projectCode}`, fresh)
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const saved = { success: '草稿已保存', onDone: () => leave(hrefOf(paths.list)), onKept: () => leave(paths.list) }
  const submitted = { success: '抽查已提交', onDone: () => leave(hrefOf(paths.detail, { id: now.id })), onKept: () => leave(paths.list) }
  const make = { save: useFieldAct(createSpotCheck, saved), submit: useFieldAct(createSpotCheck, submitted) }
  const change = { save: useFieldAct(changeSpotCheck, saved), submit: useFieldAct(changeSpotCheck, submitted) }
  const acts = [make.save, make.submit, change.save, change.submit]
  const running = acts.some((one) => one.running)
  const wrong = Object.assign({}, ...acts.map((one) => one.fieldErrors)) as Readonly<Record<string, string>>
  const [unread, setUnread] = useState<string>()
  const now = held ?? fresh
  if (!held) return <DetailSkeleton />

  const set = (more: Partial<FormDraft>) => {
    setUnread(undefined)
    hold({ ...now, ...more })
  }
  const choose = (kind: string) => {
    const test = testsOf(kind)[0] ?? 'other'
    set({ kind, readings: emptyReadings(test), method: usualMethods[test], mode: test === 'material' ? 'sample' : 'site', batchId: null })
  }
  const parsed = spotReadings.safeParse(now.readings)
  const verdict = parsed.success ? judge(parsed.data) : undefined
  const send = async (how: 'save' | 'submit') => {
    if (!parsed.success) {
      setUnread(parsed.error.issues[0]?.message ?? '检测记录不完整')
      return
    }
    const odd = oddReadings(parsed.data)
    const sure =
      how === 'save' ||
      odd.length === 0 ||
      (await confirmDanger({
        thing: '提交异常读数',
        consequence: `这些读数超出常见范围，请确认没有记错：${odd.join('；')}`,
        verb: '读数无误，提交',
        keep: '再核对',
      }))
    if (!sure) return
    const { id, mode, actualValue, passed, sampleNo, labOrg, labDue, ...rest } = now
    const fields = { ...rest, designValue: now.designValue || (verdict?.design ?? ''), readings: parsed.data }
    const body =
      how === 'save'
        ? { action: 'save' as const, ...fields }
        : mode === 'site'
          ? { action: 'submitOnSite' as const, ...fields, actualValue: actualValue || null, passed }
          : { action: 'submitSample' as const, ...fields, sampleNo, labOrg, labDue }
    const about = { id, title: `质量抽查 ${now.part}`, page: paths.list, lines: [{ label: '实测', text: verdict?.actual ?? now.method }] }
    await (draft
      ? change[how].run({ body: { id, version: draft.version, ...body } }, about)
      : make[how].run({ body: { id, projectCode, ...body } }, about))
  }
  return (
    <div className="zg-page">
      <PageTitle title="质量抽查" remark="随写随存在本机；提交前现场看不到" />
      <div className="spot-field">
        <div>
          <About now={now} set={set} choose={choose} wrong={wrong} projectCode={projectCode} />
          <ReadingsEditor value={now.readings} onChange={(readings) => set({ readings })} />
          {verdict && (
            <Notice tone={verdict.passed ? 'fine' : 'danger'}>
              {verdict.actual}，要求 {verdict.design}：{verdict.passed ? '合格' : '不合格'}
            </Notice>
          )}
          {(unread ?? wrong.readings) && <Notice tone="danger">{unread ?? wrong.readings}</Notice>}
          <Outcome now={now} set={set} wrong={wrong} computed={verdict !== undefined} />
          <Card title="照片" remark={now.mode === 'sample' ? '样品与封条' : undefined}>
            <FieldPhotos max={mostSpotFiles} value={now.photos} onChange={(photos) => set({ photos })} />
            {wrong.photos && <small className="tone-danger">{wrong.photos}</small>}
          </Card>
        </div>
      </div>
      <div className="spot-bar">
        <Button size="large" loading={running} disabled={now.part === ''} onClick={() => void send('save')}>
          存草稿
        </Button>
        <Button type="primary" size="large" loading={running} disabled={now.part === ''} onClick={() => void send('submit')}>
          {now.mode === 'site' ? '现场出结果' : '取样送检'}
        </Button>
      </div>
    </div>
  )
}

interface PartProps {
  now: FormDraft
  set: (more: Partial<FormDraft>) => void
  wrong: Readonly<Record<string, string>>
}

function About({ now, set, choose, wrong, projectCode }: PartProps & { choose: (kind: string) => void; projectCode: string }) {
  const dicts = useDicts('spotCheckKind')
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true, offline: true })
  const ofBatch = batchKinds.includes(now.kind)
  const batches = useCall(listMaterials, { query: { projectCode, size: 100, page: 1 } }, { quiet: true, enabled: ofBatch })
  const tests = testsOf(now.kind)
  const chooseBatch = (id: string | undefined) => {
    const one = batches.data?.list.find((row) => row.id === id)
    set({
      batchId: id ?? null,
      ...(one ? { part: [one.name, one.spec, one.batchNo].filter(Boolean).join(' '), corpCode: one.corpCode } : {}),
    })
  }
  return (
    <Card title="抽查对象">
      <Labelled label="抽查对象" wrong={wrong.kind}>
        <Choice
          aria-label="抽查对象"
          clear={false}
          options={dicts.options('spotCheckKind')}
          value={now.kind}
          onChange={(kind) => kind && choose(kind)}
        />
      </Labelled>
      {tests.length > 1 && (
        <Segmented
          block
          options={tests.map((value) => ({ value, label: spotTests[value] }))}
          value={now.readings.test}
          onChange={(test) => set({ readings: emptyReadings(test as SpotTest), method: usualMethods[test as SpotTest] })}
        />
      )}
      {ofBatch && (
        <Labelled label="材料批次" wrong={wrong.batchId}>
          <Choice
            aria-label="材料批次"
            options={(batches.data?.list ?? []).map((one) => ({
              value: one.id,
              label: `${one.name} ${one.spec} ${one.batchNo ?? ''} ${one.supplier}`,
            }))}
            value={now.batchId ?? undefined}
            onChange={chooseBatch}
          />
        </Labelled>
      )}
      <Labelled label="部位/批次" wrong={wrong.part}>
        <Input
          aria-label="部位/批次"
          maxLength={200}
          placeholder="例如 8 层墙柱"
          value={now.part}
          onChange={(event) => set({ part: event.target.value })}
        />
      </Labelled>
      {!ofBatch && (
        <Labelled label="位置" wrong={wrong.placeId}>
          <PlacePicker
            projectCode={projectCode}
            placeId={now.placeId}
            offline
            onChange={(chosen, place) =>
              set({ placeId: chosen?.placeId ?? null, unitId: place?.unitId ?? now.unitId, part: now.part || (place?.fullName ?? '') })
            }
          />
        </Labelled>
      )}
      <Labelled label="责任单位" wrong={wrong.corpCode}>
        <Choice
          aria-label="责任单位"
          clear={false}
          options={(people.data?.corps ?? []).map((one) => ({ value: one.code, label: one.name }))}
          value={now.corpCode || undefined}
          onChange={(corpCode) => set({ corpCode: corpCode ?? '' })}
        />
      </Labelled>
      <Labelled label="抽查人" wrong={wrong.checkers}>
        <Select
          aria-label="抽查人"
          mode="tags"
          className="zg-w-all"
          placeholder="不少于两名，输入姓名后回车"
          value={now.checkers}
          onChange={(checkers: string[]) => set({ checkers })}
        />
      </Labelled>
      <Labelled label="抽查日期" wrong={wrong.checkDate}>
        <DayInput
          aria-label="抽查日期"
          max={day(Date.now())}
          value={now.checkDate}
          onChange={(checkDate) => set({ checkDate: checkDate ?? '' })}
        />
      </Labelled>
      <Labelled label="检测方法" wrong={wrong.method}>
        <Input aria-label="检测方法" maxLength={100} value={now.method} onChange={(event) => set({ method: event.target.value })} />
      </Labelled>
    </Card>
  )
}

function Outcome({ now, set, wrong, computed }: PartProps & { computed: boolean }) {
  return (
    <Card title="结果">
      <Segmented
        block
        options={[
          { value: 'site', label: '现场出结果' },
          { value: 'sample', label: '取样送检' },
        ]}
        value={now.mode}
        onChange={(mode) => set({ mode: mode as FormDraft['mode'] })}
      />
      {!computed && (
        <Labelled label="设计/标准值" wrong={wrong.designValue}>
          <Input
            aria-label="设计/标准值"
            maxLength={100}
            value={now.designValue}
            onChange={(event) => set({ designValue: event.target.value })}
          />
        </Labelled>
      )}
      {now.mode === 'site' && !computed && (
        <>
          <Labelled label="实测值" wrong={wrong.actualValue}>
            <Input
              aria-label="实测值"
              maxLength={100}
              value={now.actualValue}
              onChange={(event) => set({ actualValue: event.target.value })}
            />
          </Labelled>
          <Labelled label="现场结论" wrong={wrong.passed}>
            <Segmented
              options={[
                { value: 'true', label: '合格' },
                { value: 'false', label: '不合格' },
              ]}
              value={now.passed === null ? '' : String(now.passed)}
              onChange={(passed) => set({ passed: passed === 'true' })}
            />
          </Labelled>
        </>
      )}
      {now.mode === 'sample' && (
        <>
          <Labelled label="样品编号" wrong={wrong.sampleNo}>
            <Input
              aria-label="样品编号"
              maxLength={50}
              placeholder="封条上的编号，可扫码"
              value={now.sampleNo}
              onChange={(event) => set({ sampleNo: event.target.value })}
            />
          </Labelled>
          <Labelled label="检测机构" wrong={wrong.labOrg}>
            <Input
              aria-label="检测机构"
              maxLength={100}
              placeholder="由抽查方选定"
              value={now.labOrg}
              onChange={(event) => set({ labOrg: event.target.value })}
            />
          </Labelled>
          <Labelled label="报告期限" wrong={wrong.labDue}>
            <DayInput aria-label="报告期限" min={now.checkDate} value={now.labDue} onChange={(labDue) => set({ labDue: labDue ?? '' })} />
          </Labelled>
        </>
      )}
    </Card>
  )
}

function Labelled({ label, wrong, children }: { label: string; wrong?: string | undefined; children: ReactNode }) {
  return (
    <div className="spot-labelled">
      <span className="zg-label">{label}</span>
      {children}
      {wrong && <small className="tone-danger">{wrong}</small>}
    </div>
  )
}
