import { DeleteOutlined, PlusOutlined, SoundOutlined } from '@ant-design/icons'
import { noticeChannels } from '@zhugong/contract/notify/codes'
import { listLevels, updateLevels } from '@zhugong/contract/rules/endpoints'
import { sounds } from '@zhugong/contract/rules/model'
import { Button, Checkbox, Input, InputNumber, Select } from 'antd'
import { useEffect, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { usePage } from '#kit/page.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { type Rung, rungsOf, usualRoles } from './exec-words.ts'
import { contrastOf, playSound } from './level-looks.ts'
import './rules.css'

interface Plan {
  channels: string[]
  repeatMinutes: number | null
  photoRequired: boolean
  escalation: Rung[]
}
interface Level {
  level: number
  name: string
  label: string
  color: string
  sound: string
  plan: Plan
  openNow: number
}

/** Colours that hold on white and on the dark pages, in the national order of red, orange, yellow and blue. */
const palette = ['#C62828', '#B71C1C', '#F08C1B', '#E65100', '#FFD21F', '#F9A825', '#1558D6', '#0D47A1']

/** What levels one to four mean here: word, colour, sound, and who is told how when nothing else is said. */
export default function LevelPage() {
  const page = usePage()
  const mayEdit = useCan('rules.level')
  const { data, error, refetch } = useCall(listLevels, {}, { quiet: true })
  const [levels, setLevels] = useState<Level[]>()
  const [dirty, setDirty] = useState(false)
  useUnsaved(dirty, page.path, '风险等级')
  useEffect(() => {
    if (data && !dirty) setLevels(data.list.map((one) => ({ ...one, plan: planOf(one.plan) })))
  }, [data, dirty])
  const save = useAct(updateLevels, { success: '已保存，已打开的页面随之更新', onDone: () => setDirty(false) })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!levels) return <DetailSkeleton />

  const change = (level: number, part: Partial<Level>) => {
    setLevels(levels.map((one) => (one.level === level ? { ...one, ...part } : one)))
    setDirty(true)
  }
  const bodyOf = () => levels.map(({ openNow: _, ...one }) => one)
  const reset = async () => {
    const yes = await confirmDanger({
      thing: '恢复默认的风险等级',
      consequence: '名称、颜色、声音与默认方案回到出厂设置。',
      verb: '恢复默认',
      keep: '保持现状',
    })
    if (yes) void save.run({ body: { list: bodyOf(), reset: true } } as never)
  }
  const faults = Object.entries(save.fieldErrors)
  const empty = levels.find((one) => one.plan.escalation.some((rung) => rung.roles.length === 0))
  return (
    <PageShell
      remark="等级数字固定，一级最严重"
      actions={
        mayEdit && (
          <>
            <Button onClick={() => void reset()}>恢复默认</Button>
            <Button
              type="primary"
              disabled={!dirty || empty !== undefined}
              title={empty ? `${empty.name}有一级升级没有选对象` : ''}
              loading={save.running}
              onClick={() => void save.run({ body: { list: bodyOf() } } as never)}
            >
              保存全部
            </Button>
          </>
        )
      }
    >
      <div className="rule-editor">
        {faults.length > 0 && <Notice tone="danger">{faults.map(([, text]) => text).join('；')}</Notice>}
        <div className="rule-levels">
          {levels.map((one) => (
            <section key={one.level} className="rule-level-card" style={{ borderTopColor: one.color }} aria-label={`等级 ${one.level}`}>
              <header>
                <strong style={{ fontSize: 22 }}>{one.level}</strong>
                <span className="zg-2">未恢复 {one.openNow} 条</span>
              </header>
              <Line label="名称">
                <Input
                  disabled={!mayEdit}
                  maxLength={20}
                  value={one.name}
                  onChange={(event) => change(one.level, { name: event.target.value })}
                />
              </Line>
              <Line label="说明">
                <Input
                  disabled={!mayEdit}
                  maxLength={20}
                  value={one.label}
                  onChange={(event) => change(one.level, { label: event.target.value })}
                />
              </Line>
              <Line
                label={`颜色，与白底对比 ${contrastOf(one.color, '#FFFFFF').toFixed(1)}，与深底 ${contrastOf(one.color, '#0B1A33').toFixed(1)}`}
              >
                <div role="radiogroup" aria-label="颜色" style={{ display: 'flex', gap: 6, flexWrap: 'wrap' }}>
                  {[...new Set([one.color.toUpperCase(), ...palette])].map((color) => (
                    <button
                      key={color}
                      type="button"
                      role="radio"
                      aria-checked={color === one.color.toUpperCase()}
                      aria-label={color}
                      disabled={!mayEdit}
                      onClick={() => change(one.level, { color })}
                      style={{
                        width: 24,
                        height: 24,
                        background: color,
                        border: color === one.color.toUpperCase() ? '2px solid #1f2937' : '1px solid #c9d1dd',
                        borderRadius: 4,
                        cursor: 'pointer',
                      }}
                    />
                  ))}
                </div>
              </Line>
              <Line label="声音">
                <div style={{ display: 'grid', gridTemplateColumns: '1fr auto', gap: 6 }}>
                  <Choice
                    clear={false}
                    value={one.sound}
                    options={Object.entries(sounds).map(([value, label]) => ({ value, label }))}
                    onChange={(sound) => sound && change(one.level, { sound })}
                  />
                  <Button icon={<SoundOutlined />} disabled={one.sound === 'none'} onClick={() => playSound(one.sound)}>
                    试听
                  </Button>
                </div>
              </Line>
              <LevelPlan
                plan={one.plan}
                level={one.level}
                disabled={!mayEdit}
                onChange={(part) => change(one.level, { plan: { ...one.plan, ...part } })}
              />
            </section>
          ))}
        </div>
        <Card title="预览" remark="表格标签、地图圆点、大屏条目，以及红绿色弱所见">
          <div className="rule-preview">
            {levels.map((one) => (
              <div key={one.level}>
                <span>
                  <b
                    style={{
                      display: 'inline-block',
                      minWidth: 18,
                      padding: '0 5px',
                      textAlign: 'center',
                      borderRadius: 3,
                      background: one.color,
                      color: contrastOf(one.color, '#FFFFFF') >= 3 ? '#fff' : '#1f2937',
                    }}
                  >
                    {one.level}
                  </b>{' '}
                  {one.label}
                </span>
                <svg width="120" height="26" role="img" aria-label={`${one.name}在地图上的圆点`}>
                  <rect width="120" height="26" fill="#F8F7E9" />
                  <circle cx="20" cy="13" r="8" fill={one.color} stroke="#fff" strokeWidth="2" />
                  <text x="36" y="17" fontSize="12" fill="#1f2937">
                    {one.level} 号点
                  </text>
                </svg>
                <div className="rule-ticker" style={{ borderLeftColor: one.color }}>
                  {one.name} 1# 塔机 力矩报警
                </div>
                <span style={{ filter: 'grayscale(1)' }}>
                  <b style={{ display: 'inline-block', width: 40, height: 14, background: one.color }} /> 只凭明暗，数字与文字仍可分辨
                </span>
              </div>
            ))}
          </div>
        </Card>
      </div>
    </PageShell>
  )
}

function planOf(plan: Record<string, unknown>): Plan {
  return {
    channels: Array.isArray(plan.channels) ? plan.channels.map(String) : [],
    repeatMinutes: typeof plan.repeatMinutes === 'number' ? plan.repeatMinutes : null,
    photoRequired: plan.photoRequired === true,
    escalation: rungsOf(plan.escalation),
  }
}

/** What happens with an alarm of this level when no action of its rule says otherwise. */
function LevelPlan({
  plan,
  level,
  disabled,
  onChange,
}: {
  plan: Plan
  level: number
  disabled: boolean
  onChange: (part: Partial<Plan>) => void
}) {
  const setRung = (at: number, part: Partial<Rung>) =>
    onChange({ escalation: plan.escalation.map((rung, i) => (i === at ? { ...rung, ...part } : rung)) })
  return (
    <fieldset className="rule-plan" disabled={disabled}>
      <legend>默认方案</legend>
      <div className="rule-help">规则没有指定通知动作时，先通知安全员与当时值班的人</div>
      <Line label="渠道">
        <Checkbox.Group
          value={plan.channels}
          options={Object.entries(noticeChannels).map(([value, label]) => ({
            value,
            label,
            // Nobody may be left without word of the worst.
            disabled: level === 1 && value === '1',
          }))}
          onChange={(channels) => onChange({ channels: channels.map(String) })}
        />
      </Line>
      <Line label="重复提醒，直到接单">
        <NumberInput
          unit="分钟"
          min={0}
          max={10_080}
          placeholder="不重复"
          value={plan.repeatMinutes}
          onChange={(repeatMinutes) => onChange({ repeatMinutes: repeatMinutes ?? null })}
        />
      </Line>
      <div className="rule-part">
        <span>无人接单时升级</span>
        {plan.escalation.map((rung, i) => (
          <div key={i} className="rule-plan-rung">
            <InputNumber
              controls={false}
              suffix="分"
              style={{ width: '100%' }}
              aria-label={`第 ${i + 1} 级升级的分钟数`}
              min={1}
              max={10_080}
              value={rung.afterMinutes}
              onChange={(n) => setRung(i, { afterMinutes: n ?? 0 })}
            />
            <Select
              mode="tags"
              aria-label={`第 ${i + 1} 级升级对象`}
              maxTagCount="responsive"
              value={rung.roles}
              options={usualRoles.map((role) => ({ value: role, label: role }))}
              onChange={(roles: string[]) => setRung(i, { roles })}
            />
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={`删除第 ${i + 1} 级`}
              onClick={() => onChange({ escalation: plan.escalation.filter((_, at) => at !== i) })}
            />
          </div>
        ))}
        {plan.escalation.length < 8 && (
          <Button
            size="small"
            type="dashed"
            icon={<PlusOutlined />}
            onClick={() =>
              onChange({ escalation: [...plan.escalation, { afterMinutes: (plan.escalation.at(-1)?.afterMinutes ?? 0) + 10, roles: [] }] })
            }
          >
            添加一级
          </Button>
        )}
      </div>
      <Checkbox checked={plan.photoRequired} onChange={(event) => onChange({ photoRequired: event.target.checked })}>
        处置须上传照片
      </Checkbox>
    </fieldset>
  )
}

function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is given as a child.
    <label className="rule-part">
      <span>{label}</span>
      {children}
    </label>
  )
}
