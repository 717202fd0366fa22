import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { pickDevices } from '@zhugong/contract/equipment/endpoints'
import { createTrigger, getTrigger, listExecs, ruleBase, updateTrigger } from '@zhugong/contract/rules/endpoints'
import type { triggerBody } from '@zhugong/contract/rules/model'
import { getFamily, listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button, Input, Segmented } from 'antd'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, ErrorPanel, Notice, RiskBadge, TableSkeleton } from '#kit/feedback.tsx'
import { Choice, Choices, NumberInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { useGo, usePage, usePageQuery, usePageTitle } from '#kit/page.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { ConditionEditor, emptyCondition, SecondsInput } from './condition-editor.tsx'
import { type DraftLevel, isGroup, ruleWords, type Schedule } from './condition-words.ts'
import { execWords } from './exec-words.ts'
import { FieldLabel } from './field-label.tsx'
import { clearFor, orderProblems, withClear } from './level-checks.ts'
import type { Rehearsed } from './rehearsal.tsx'
import { noisyPerDay } from './rehearsal-limits.ts'
import { ScheduleEditor } from './schedule-editor.tsx'
import './rules.css'

interface Rule {
  name: string
  family: string
  alarmKey: string | undefined
  devices: string[]
  levels: DraftLevel[]
  schedule: Schedule
  on: string | null
  onlyWhen: Record<string, unknown> | null
  execIds: string[]
  /** What the editor does not show stays as it was. */
  kept: Record<string, unknown>
}
/** The last of the four steps, with its chart: not needed for the first look. */
const Rehearsal = lazy(() => import('./rehearsal.tsx').then((file) => ({ default: file.Rehearsal })))
const everyDevice = 999_999
const levels = [1, 2, 3, 4] as const

const fresh = (): Rule => ({
  name: '',
  family: '',
  alarmKey: undefined,
  devices: [],
  levels: [{ level: 2, condition: emptyCondition('threshold'), forSeconds: 10 }],
  schedule: null,
  on: null,
  onlyWhen: null,
  execIds: [],
  kept: {},
})

/** When what happens, for how long, at what hours, for which machines, how serious: and what it would have done lately. */
export default function TriggerEditPage() {
  const id = usePageQuery().get('id') ?? undefined
  const copy = usePageQuery().get('copy') ?? undefined
  const source = id ?? copy
  const saved = useCall(getTrigger, { params: { id: source ?? '' } }, { enabled: source !== undefined, quiet: true })
  if (saved.error) return <ErrorPanel error={saved.error} retry={saved.refetch} />
  if (source && !saved.data) return <DetailSkeleton />
  const data = saved.data
  if (data?.template) return <Notice tone="warning">模板请在规则模板页修改</Notice>
  const initial: Rule = data
    ? {
        name: id ? data.name : `${data.name} 副本`,
        family: data.family,
        alarmKey: data.alarmKey,
        devices: data.scope.kind === 'devices' ? data.scope.deviceIds : [],
        levels: data.levels.map(({ text: _, ...level }) => level as unknown as DraftLevel),
        schedule: data.schedule as Schedule,
        on: data.on,
        onlyWhen: data.onlyWhen,
        execIds: data.execIds,
        kept: {
          maxGapSeconds: data.maxGapSeconds,
          minConfidence: data.minConfidence,
          confirmSamples: data.confirmSamples,
          daySeconds: data.daySeconds,
          noDataSeconds: data.noDataSeconds,
          ...(data.scope.kind === 'devices' ? {} : { scope: data.scope }),
        },
      }
    : fresh()
  return <Editor key={source ?? 'new'} id={id} version={data?.version} initial={initial} locked={data?.locked === true} />
}

function Editor({ id, version, initial, locked }: { id: string | undefined; version: number | undefined; initial: Rule; locked: boolean }) {
  const projectCode = useProjectCode()
  const page = usePage()
  const go = useGo()
  // The whole schema of a rule comes after the first look; until it is here the server's answer stands at the fields.
  const schema = useRef<typeof triggerBody>(undefined)
  useEffect(() => {
    void import('@zhugong/contract/rules/model').then((model) => {
      schema.current = model.triggerBody
    })
  }, [])
  const [rule, setRule] = useState(initial)
  const [dirty, setDirty] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const wanted = usePageQuery().get('at') === 'rehearse'
  const [rehearsed, setRehearsed] = useState<Rehearsed>()
  usePageTitle(id ? `编辑 ${initial.name}` : '新建规则')
  useUnsaved(dirty, page.path, id ? initial.name : '新建规则')

  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const family = useCall(
    getFamily,
    { params: { key: rule.family || 'none' } },
    { enabled: rule.family !== '', staleMs: 3_600_000, quiet: true },
  )
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

  const change = (part: Partial<Rule>) => {
    setRule((now) => ({ ...now, ...part }))
    setDirty(true)
    setErrors({})
    setRehearsed(undefined)
  }
  const setLevel = (at: number, part: Partial<DraftLevel>) =>
    change({ levels: rule.levels.map((level, i) => (i === at ? { ...level, ...part } : level)) })

  /** Taking an alarm from the catalogue takes its delivered condition along. */
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
  const bodyOf = (chosen: readonly DraftLevel[] = rule.levels) => ({
    ...rule.kept,
    name: rule.name.trim(),
    family: rule.family,
    ...(rule.alarmKey ? { alarmKey: rule.alarmKey } : {}),
    levels: chosen.map((level) => withClear(level)),
    schedule: rule.schedule,
    on: rule.on,
    onlyWhen: rule.onlyWhen,
    execIds: rule.execIds,
    ...(rule.devices.length > 0 ? { scope: { kind: 'devices', deviceIds: rule.devices } } : {}),
    ...(!id && projectCode !== '*' ? { projectCode } : {}),
  })
  /** What is wrong, at its field; undefined when nothing is. */
  const check = (body: object): Record<string, string> | undefined => {
    const parsed = schema.current?.safeParse(body)
    const wrong: Record<string, string> = {}
    if (parsed?.success === false) for (const issue of parsed.error.issues) wrong[issue.path.join('.')] ??= issue.message
    rule.levels.forEach((level, i) => {
      const at = isGroup(level.condition.type) ? undefined : view?.metrics.find((m) => m.key === level.condition.metric)
      const value = level.condition.value
      if (at && typeof value === 'number' && level.condition.type === 'threshold') {
        if (at.max !== undefined && value > at.max) wrong[`levels.${i}.condition.value`] = `超出${at.label}的量程上限 ${at.max} ${at.unit}`
        if (at.min !== undefined && value < at.min && !String(level.condition.op).startsWith('abs'))
          wrong[`levels.${i}.condition.value`] = `低于${at.label}的量程下限 ${at.min} ${at.unit}`
      }
    })
    for (const [i, problem] of orderProblems(rule.levels)) wrong[`levels.${i}.condition.value`] ??= problem
    return Object.keys(wrong).length > 0 ? wrong : undefined
  }
  const complete = (chosen?: readonly DraftLevel[]) => {
    const body = bodyOf(chosen)
    const wrong = check({ ...body, name: body.name || '试算' })
    if (!wrong) return { ...body, alarmKey: body.alarmKey ?? 'trial' }
    setErrors(wrong)
    notify.warning(Object.values(wrong)[0] ?? '请先填写完整')
    return undefined
  }

  const done = () => {
    setDirty(false)
    go('/reg2_regulationManage')
  }
  const create = useAct(createTrigger, { success: '规则已保存', onDone: done, onFail: (error) => setErrors(error.fields) })
  const update = useAct(updateTrigger, { success: '规则已保存为新版本', onDone: done, onFail: (error) => setErrors(error.fields) })
  const save = async (enabled: boolean) => {
    const body = bodyOf()
    const wrong = check(body)
    if (wrong) {
      setErrors(wrong)
      notify.warning(Object.values(wrong)[0] ?? '请检查填写')
      return
    }
    const often = rehearsed && rehearsed.perDay > noisyPerDay
    const never = rehearsed?.opens === 0
    if (enabled && (often || never)) {
      const yes = await confirmDanger({
        thing: often ? `启用每天约 ${Math.round(rehearsed.perDay)} 次告警的规则` : '启用试算中一次也不触发的规则',
        consequence: often ? '告警过多会没有人看，可以提高阈值或延长持续时间。' : '可能阈值过严或没有数据，请确认是否符合预期。',
        verb: '仍然启用',
        keep: '再改一改',
      })
      if (!yes) return
    }
    if (id) void update.run({ params: { id }, body: { ...body, enabled, version } } as never)
    else void create.run({ body: { ...body, enabled } } as never)
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
    <PageShell title={id ? '编辑规则' : '新建规则'} remark={projectCode === '*' ? '对所辖全部项目生效' : '对本项目生效'}>
      <div className="rule-editor">
        <div className="rule-sentence" role="status">
          {rule.family ? ruleWords({ who, levels: rule.levels, schedule: rule.schedule }, view) : '先选择设备类型，这里会用一句话写出规则'}
        </div>
        {locked && <Notice tone="warning">此规则由平台锁定：项目只能更严，不能放宽或停用</Notice>}
        <Card title="① 对象" remark="哪些设备的什么告警">
          <div className="rule-parts">
            <FieldLabel label="设备类型" error={errors.family} required>
              <Choice
                clear={false}
                value={rule.family || undefined}
                options={(families.data?.list ?? []).map((f) => ({ value: f.key, label: f.name }))}
                onChange={(next) => next && change({ ...fresh(), name: rule.name, execIds: rule.execIds, family: next })}
              />
            </FieldLabel>
            <FieldLabel label="告警" error={errors.alarmKey} hint="不选则作为自定义告警">
              <Choice
                value={rule.alarmKey}
                options={(base.data?.list ?? []).map((b) => ({ value: b.alarmKey, label: b.label }))}
                onChange={takeKey}
              />
            </FieldLabel>
            <FieldLabel label="规则名称" error={errors.name} required wide>
              <Input maxLength={100} value={rule.name} onChange={(event) => change({ name: event.target.value })} />
            </FieldLabel>
            <FieldLabel label="设备范围" error={errors.scope} wide hint={`共 ${devices.length} 台，不选为全部`}>
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
        </Card>
        <Card
          title="② 条件"
          remark="每个等级一行，等级一最严重"
          actions={
            rule.levels.length < levels.length && (
              <Button
                icon={<PlusOutlined />}
                onClick={() => {
                  const next = levels.find((l) => !rule.levels.some((one) => one.level === l)) ?? 4
                  const model = rule.levels[rule.levels.length - 1]
                  change({ levels: [...rule.levels, { ...(model ?? { condition: emptyCondition('threshold') }), level: next }] })
                }}
              >
                添加等级
              </Button>
            )
          }
        >
          {errors.levels && <Notice tone="danger">{errors.levels}</Notice>}
          {rule.levels.map((level, i) => (
            <div className="rule-level" key={level.level}>
              <div className="rule-level-head">
                <RiskBadge level={level.level} />
                <Segmented
                  size="small"
                  value={level.level}
                  options={levels.map((l) => ({
                    value: l,
                    label: `${'一二三四'[l - 1]}级`,
                    disabled: l !== level.level && rule.levels.some((one) => one.level === l),
                  }))}
                  onChange={(next) => setLevel(i, { level: next as DraftLevel['level'] })}
                />
                {rule.levels.length > 1 && (
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label="删除此等级"
                    onClick={() => change({ levels: rule.levels.filter((_, at) => at !== i) })}
                  />
                )}
              </div>
              <ConditionEditor
                value={level.condition}
                family={view}
                path={`levels.${i}.condition`}
                errors={errors}
                onChange={(condition) => setLevel(i, { condition, clearValue: clearFor(condition) ?? undefined })}
              />
              <div className="rule-parts">
                <FieldLabel label="持续" hint="满足多久才报" error={errors[`levels.${i}.forSeconds`]}>
                  <SecondsInput value={level.forSeconds} onChange={(forSeconds) => setLevel(i, { forSeconds })} />
                </FieldLabel>
                {clearFor(level.condition) !== undefined && (
                  <FieldLabel
                    label="解除值"
                    hint="回到这里才算恢复，避免反复"
                    error={errors[`levels.${i}.clearValue`] ?? errors[`levels.${i}.condition.clearValue`]}
                  >
                    <NumberInput
                      value={level.clearValue ?? (typeof level.condition.clearValue === 'number' ? level.condition.clearValue : undefined)}
                      onChange={(clearValue) => setLevel(i, { clearValue: clearValue ?? undefined })}
                    />
                  </FieldLabel>
                )}
                <FieldLabel label="解除保持" hint="恢复多久才解除" error={errors[`levels.${i}.clearForSeconds`]}>
                  <SecondsInput value={level.clearForSeconds} onChange={(clearForSeconds) => setLevel(i, { clearForSeconds })} />
                </FieldLabel>
              </div>
            </div>
          ))}
        </Card>
        <Card title="③ 时段" remark="只在这些时间判定，不选为全天">
          <ScheduleEditor value={rule.schedule} onChange={(schedule) => change({ schedule })} error={errors.schedule} />
        </Card>
        <Card title="④ 动作" remark="报警时做什么；不选则按等级的默认方案通知" actions={<Link to="/reg2_execManage">管理动作</Link>}>
          <div className="rule-parts">
            <FieldLabel label="执行动作" wide error={errors.execIds} hint={`共 ${execs.data?.total ?? 0} 个可用`}>
              <Choices
                value={rule.execIds}
                options={(execs.data?.list ?? []).map((one) => ({
                  value: one.id,
                  label: `${one.name}（${one.kindName}${one.enabled ? '' : '，已停用'}）`,
                }))}
                onChange={(next) => change({ execIds: next ?? [] })}
              />
            </FieldLabel>
          </div>
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
        </Card>
        <Suspense fallback={<TableSkeleton rows={3} columns={4} />}>
          <Rehearsal
            isWanted={wanted}
            trigger={complete}
            family={view}
            devices={devices}
            chosen={rule.devices}
            onRehearsed={setRehearsed}
            onThreshold={(value) =>
              setLevel(0, { condition: { ...(rule.levels[0]?.condition ?? { type: 'threshold' }), value }, clearValue: undefined })
            }
          />
        </Suspense>
      </div>
      <div className="rule-bar">
        <Button type="primary" loading={create.running || update.running} onClick={() => void save(true)}>
          保存并启用
        </Button>
        <Button disabled={create.running || update.running} onClick={() => void save(false)}>
          保存，先不启用
        </Button>
        <Button onClick={() => go('/reg2_regulationManage')}>取消</Button>
        <span>{id ? `保存为第 ${(version ?? 0) + 1} 版，已有的告警保留当时的版本` : '保存后可在规则管理中启停'}</span>
      </div>
    </PageShell>
  )
}
