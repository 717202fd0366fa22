import { pickDevices } from '@zhugong/contract/equipment/endpoints'
import { createTrigger, getTrigger, listExecs, ruleBase, updateTrigger } from '@zhugong/contract/rules/endpoints'
import type { triggerBody } from '@zhugong/contract/rules/model'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button, Input } from 'antd'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useFamily } from '#kit/family.ts'
import { DetailSkeleton, ErrorPanel, Notice, TableSkeleton } from '#kit/feedback.tsx'
import { FormFrame, FormSection, useFirstWrong } from '#kit/form-frame.tsx'
import { Choice, Choices } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { usePage, usePageQuery, usePageTitle } from '#kit/page.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { type DraftLevel, ruleWords, type Schedule } from './condition-words.ts'
import { execWords } from './exec-words.ts'
import { FieldLabel } from './field-label.tsx'
import { forgetHanded, handedFor } from './handed-draft.ts'
import { LevelRows } from './level-rows.tsx'
import type { Rehearsed } from './rehearsal.tsx'
import { noisyPerDay } from './rehearsal-limits.ts'
import { bodyOfRule, freshRule, levelProblems, type RuleDraft, ruleOf } from './rule-draft.ts'
import { ScheduleEditor } from './schedule-editor.tsx'
import './rules.css'

/** Loaded lazily with its chart; not needed for the first render. */
const Rehearsal = lazy(() => import('./rehearsal.tsx').then((file) => ({ default: file.Rehearsal })))
const everyDevice = 999_999

/** Rule editor: condition, duration, hours, devices and level, with a rehearsal on past readings. */
export default function TriggerEditPage() {
  const id = usePageQuery().get('id') ?? undefined
  const copy = usePageQuery().get('copy') ?? undefined
  const source = id ?? copy
  const saved = useCall(getTrigger, { params: { id: source ?? '' } }, { enabled: source !== undefined, quiet: true })
  if (saved.error) return <ErrorPanel error={saved.error} retry={saved.refetch} />
  if (source && !saved.data) return <DetailSkeleton />
  const data = saved.data
  if (data?.template) return <Notice tone="warning">模板请在规则模板页修改</Notice>
  const read = data ? ruleOf(data, id !== undefined) : freshRule()
  const typed = handedFor(source)
  const initial = typed ? { ...read, ...typed } : read
  return (
    <Editor
      key={source ?? 'new'}
      id={id}
      version={data?.version}
      initial={initial}
      typed={typed !== undefined}
      locked={data?.locked === true}
    />
  )
}

function Editor({
  id,
  version,
  initial,
  typed,
  locked,
}: {
  id: string | undefined
  version: number | undefined
  initial: RuleDraft
  /** The draft already has changes, made on the page that opened the editor. */
  typed: boolean
  locked: boolean
}) {
  const projectCode = useProjectCode()
  const page = usePage()
  const leave = () => page.leave('/reg2_regulationManage')
  // The rule schema is loaded after the first render; until then the server's validation errors are shown.
  const schema = useRef<typeof triggerBody>(undefined)
  useEffect(() => {
    void import('@zhugong/contract/rules/model').then((model) => {
      schema.current = model.triggerBody
    })
  }, [])
  const [rule, setRule] = useState(initial)
  const [dirty, setDirty] = useState(typed)
  useEffect(forgetHanded, [])
  const [errors, setErrors] = useState<Record<string, string>>({})
  const firstWrong = useFirstWrong(errors)
  const [rehearsed, setRehearsed] = useState<Rehearsed>()
  usePageTitle(id ? `编辑 ${initial.name}` : '新建规则')
  useUnsaved(dirty, page.cacheKey, id ? initial.name : '新建规则')

  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const family = useFamily(rule.family)
  const base = useCall(
    ruleBase,
    { query: { family: [rule.family], size: 100 } },
    {
      enabled: rule.family !== '',
      quiet: true,
      staleMs: 60_000,
    },
  )
  const found = useCall(
    pickDevices,
    { query: { family: rule.family, projectCode, size: everyDevice } },
    {
      enabled: rule.family !== '',
      quiet: true,
      staleMs: 60_000,
    },
  )
  const execs = useCall(listExecs, { query: { projectCode, size: 200 } }, { quiet: true, staleMs: 60_000 })
  const chosenExecs = (execs.data?.list ?? []).filter((one) => rule.execIds.includes(one.id))
  const view = rule.family && family.data?.key === rule.family ? family.data : undefined
  const devices = useMemo(() => (rule.family ? (found.data?.list ?? []) : []), [rule.family, found.data])

  const change = (part: Partial<RuleDraft>) => {
    setRule((now) => ({ ...now, ...part }))
    setDirty(true)
    setErrors({})
    setRehearsed(undefined)
  }
  /** Selects an alarm of the catalogue and copies its default condition. */
  const takeKey = (key: string | undefined) => {
    const one = base.data?.list.find((b) => b.alarmKey === key)
    if (!one) return change({ alarmKey: key })
    change({
      alarmKey: key,
      name: rule.name || one.label,
      on: one.on,
      onlyWhen: one.onlyWhen,
      schedule: one.schedule as Schedule,
      levels: [
        {
          level: one.level as DraftLevel['level'],
          condition: one.condition as DraftLevel['condition'],
          forSeconds: one.forSeconds,
          clearForSeconds: one.clearForSeconds || undefined,
        },
      ],
    })
  }
  const bodyOf = (levels?: readonly DraftLevel[]) => bodyOfRule(rule, !id && projectCode !== '*' ? projectCode : undefined, levels)
  /** Validation errors by path in the body. */
  const problemsOf = (body: object): Record<string, string> => {
    const wrong: Record<string, string> = {}
    const parsed = schema.current?.safeParse(body)
    if (parsed?.success === false) for (const issue of parsed.error.issues) wrong[issue.path.join('.')] ??= issue.message
    return { ...wrong, ...levelProblems(rule.levels, view) }
  }
  const complete = (chosen?: readonly DraftLevel[]) => {
    const body = bodyOf(chosen)
    const wrong = problemsOf({ ...body, name: body.name || '试算' })
    setErrors(wrong)
    return Object.keys(wrong).length > 0 ? undefined : { ...body, alarmKey: body.alarmKey ?? 'trial' }
  }

  const onFail = (error: { fields: Readonly<Record<string, string>> }) => setErrors({ ...error.fields })
  const create = useAct(createTrigger, { success: '规则已保存', onDone: leave, onFail })
  const update = useAct(updateTrigger, { success: '规则已保存为新版本', onDone: leave, onFail })
  const save = async (enabled: boolean) => {
    const body = bodyOf()
    const wrong = { ...(rule.alarmKey ? {} : { alarmKey: '请选择告警' }), ...problemsOf(body) }
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    if (enabled && !(await mayEnable(rehearsed))) return
    if (id) void update.run({ params: { id }, body: { ...body, enabled, version } }, { fieldsShown: true })
    else void create.run({ body: { ...body, enabled } }, { fieldsShown: true })
  }
  const alarm = base.data?.list.find((b) => b.alarmKey === rule.alarmKey)
  const who =
    rule.devices.length > 0
      ? rule.devices
          .slice(0, 3)
          .map((one) => devices.find((d) => d.id === one)?.name ?? '设备')
          .join('、') + (rule.devices.length > 3 ? ` 等 ${rule.devices.length} 台` : '')
      : `当 ${view?.name ?? '设备'}`

  return (
    <FormFrame
      title={id ? '编辑规则' : '新建规则'}
      remark={projectCode === '*' ? '对所辖全部项目生效' : '对本项目生效'}
      box={firstWrong.box}
      asideWide
      aside={
        <Suspense fallback={<TableSkeleton rows={3} columns={4} />}>
          <Rehearsal
            trigger={complete}
            family={view}
            devices={devices}
            chosen={rule.devices}
            onRehearsed={setRehearsed}
            onThreshold={(value) =>
              change({
                levels: rule.levels.map((level, i) =>
                  i === 0 ? { ...level, condition: { ...level.condition, value }, clearValue: undefined } : level,
                ),
              })
            }
          />
        </Suspense>
      }
      bar={{
        onSave: () => save(true),
        saving: create.running || update.running,
        saveText: '保存并启用',
        onCancel: page.close,
        errors: Object.keys(errors).length,
        onShowErrors: firstWrong.show,
        actions: (
          <Button className="zg-save" disabled={create.running || update.running} onClick={() => void save(false)}>
            保存，先不启用
          </Button>
        ),
        remark: id ? `保存为第 ${(version ?? 0) + 1} 版，已有的告警保留当时的版本` : '保存后可在规则管理中启停',
      }}
    >
      <div className="rule-sentence" role="status">
        {rule.family ? ruleWords({ who, levels: rule.levels, schedule: rule.schedule }, view) : '先选择设备类型，这里会用一句话写出规则'}
      </div>
      {locked && <Notice tone="warning">此规则由平台锁定：项目只能更严，不能放宽或停用</Notice>}
      <FormSection title="对象" remark="哪些设备的什么告警">
        <div className="rule-parts">
          <FieldLabel label="设备类型" error={errors.family} required>
            <Choice
              clear={false}
              placeholder="请选择"
              value={rule.family || undefined}
              options={(families.data?.list ?? []).map((f) => ({ value: f.key, label: f.name }))}
              onChange={(next) => next && change({ ...freshRule(), name: rule.name, execIds: rule.execIds, family: next })}
            />
          </FieldLabel>
          <FieldLabel label="告警" error={errors.alarmKey} hint="选后带出出厂条件" required>
            <Choice
              value={rule.alarmKey}
              options={(base.data?.list ?? []).map((b) => ({ value: b.alarmKey, label: b.label }))}
              onChange={takeKey}
            />
          </FieldLabel>
          <FieldLabel label="规则名称" error={errors.name} required>
            <Input maxLength={100} value={rule.name} onChange={(event) => change({ name: event.target.value })} />
          </FieldLabel>
          <FieldLabel label="设备范围" error={errors.scope} hint={`共 ${devices.length} 台，不选为全部`}>
            <Choices
              value={rule.devices}
              options={devices.map((d) => ({ value: d.id, label: d.name }))}
              onChange={(next) => change({ devices: next ?? [], kept: { ...rule.kept, scope: undefined } })}
            />
          </FieldLabel>
        </div>
        {alarm && (
          <div className="rule-help">
            出厂设置：{alarm.text}（{alarm.source || '产品设定'}
            {alarm.confidence === 'recalled' ? '，待核对' : ''}）
          </div>
        )}
      </FormSection>
      <FormSection title="条件" remark="同时满足多级时，按最严重的一级报一条">
        {errors.levels && (
          <div data-wrong>
            <Notice tone="danger">{errors.levels}</Notice>
          </div>
        )}
        <LevelRows levels={rule.levels} family={view} errors={errors} onChange={(levels) => change({ levels })} />
      </FormSection>
      <FormSection title="时段" remark="只在这些时间判定，不选为全天">
        <ScheduleEditor value={rule.schedule} onChange={(schedule) => change({ schedule })} error={errors.schedule} />
      </FormSection>
      <FormSection title="动作" remark="报警时做什么；不选则按等级的默认方案通知" actions={<Link to="/reg2_execManage">管理动作</Link>}>
        <FieldLabel label="执行动作" error={errors.execIds} hint={execs.data && `共 ${execs.data.total} 个可用`}>
          <Choices
            value={rule.execIds}
            options={(execs.data?.list ?? []).map((one) => ({
              value: one.id,
              label: `${one.name}（${one.kindName}${one.enabled ? '' : '，已停用'}）`,
            }))}
            onChange={(next) => change({ execIds: next ?? [] })}
          />
        </FieldLabel>
        {chosenExecs.length > 0 && (
          <ul className="rule-does">
            {chosenExecs.map((one) => (
              <li key={one.id}>
                <b>{one.name}</b>
                <span>{execWords(one)}</span>
              </li>
            ))}
          </ul>
        )}
      </FormSection>
    </FormFrame>
  )
}

/** Confirms enabling a rule that would be noisy or never fire. */
async function mayEnable(rehearsed: Rehearsed | undefined): Promise<boolean> {
  if (!rehearsed || (rehearsed.opens > 0 && rehearsed.perDay <= noisyPerDay)) return true
  const often = rehearsed.opens > 0
  return confirmDanger({
    thing: often ? `启用每天约 ${Math.round(rehearsed.perDay)} 次告警的规则` : '启用试算中一次也不触发的规则',
    consequence: often ? '告警过多会没有人看，可以提高阈值或延长持续时间。' : '可能阈值过严或没有数据，请确认是否符合预期。',
    verb: '仍然启用',
    keep: '再改一改',
  })
}
