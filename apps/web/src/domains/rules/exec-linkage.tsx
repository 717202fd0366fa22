import { PlayCircleOutlined, SafetyOutlined } from '@ant-design/icons'
import { pickDevices } from '@zhugong/contract/equipment/endpoints'
import { interlocks, type LinkageCommand, linkageCommands } from '@zhugong/contract/rules/exec-model'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Checkbox, Input, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormSection } from '#kit/form-frame.tsx'
import { Choice, Choices } from '#kit/inputs.tsx'
import { SecondsInput } from './condition-editor.tsx'
import { commandWord, type LinkagePart, partFor, specOf } from './exec-words.ts'
import { FieldLabel } from './field-label.tsx'

const everyDevice = 999_999

/** Linkage of an action: device command, conditions that prevent it, and when it stops. */
export function LinkageFields({
  value,
  onChange,
  errors,
  projectCode,
}: {
  value: LinkagePart
  onChange: (part: LinkagePart) => void
  errors: Readonly<Record<string, string>>
  projectCode: string
}) {
  const spec = specOf(value.command)
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const chosen = value.selector.kind === 'list' ? value.selector.deviceIds : []
  const devices = useCall(
    pickDevices,
    { query: { family: value.family ?? spec?.families.join(','), projectCode, size: everyDevice } },
    { enabled: value.selector.kind === 'list' && spec !== undefined, quiet: true, staleMs: 60_000 },
  )
  const familyName = (key: string) => families.data?.list.find((one) => one.key === key)?.name ?? (families.data ? key : '…')
  const take = (command: string | undefined) => command && onChange(partFor(command as LinkageCommand, value))
  return (
    <FormSection title="联动" remark="告警时由平台启动哪台设备，何时停">
      <Notice tone="info">
        <SafetyOutlined /> 升降机锁机、塔机断电等安全关键动作不由云端执行，由设备自身的限制器保护。
      </Notice>
      <div className="rule-parts zg-above-12">
        <FieldLabel label="命令" required error={errors['linkage.command']}>
          <Choice
            clear={false}
            value={value.command}
            options={Object.keys(linkageCommands).map((command) => ({ value: command, label: commandWord(command) }))}
            onChange={take}
          />
        </FieldLabel>
        <FieldLabel label="设备" required wide error={errors['linkage.selector'] ?? errors['linkage.selector.deviceIds']}>
          <Segmented<LinkagePart['selector']['kind']>
            value={value.selector.kind}
            options={[
              { value: 'sameArea', label: '同区域' },
              { value: 'bound', label: '绑定的设备' },
              { value: 'list', label: '指定设备' },
            ]}
            onChange={(kind) => onChange({ ...value, selector: kind === 'list' ? { kind, deviceIds: [] } : { kind } })}
          />
        </FieldLabel>
        {(spec?.families.length ?? 0) > 1 && (
          <FieldLabel label="设备类型" hint="不选为全部">
            <Choice
              value={value.family ?? null}
              options={(spec?.families ?? []).map((key) => ({ value: key, label: familyName(key) }))}
              onChange={(family) => onChange(withOr(value, 'family', family))}
            />
          </FieldLabel>
        )}
      </div>
      <div className="rule-help">
        {spec?.help}
        {value.selector.kind === 'sameArea' && '；同区域指与报警设备安装在同一区域的设备'}
        {value.selector.kind === 'bound' && '；在设备详情中绑定'}
      </div>
      {value.selector.kind === 'list' && (
        <div className="rule-parts">
          <FieldLabel label="指定设备" wide>
            <Choices
              value={chosen}
              options={(devices.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))}
              onChange={(deviceIds) => onChange({ ...value, selector: { kind: 'list', deviceIds: deviceIds ?? [] } })}
            />
          </FieldLabel>
        </div>
      )}
      {spec?.text && (
        <FieldLabel
          label={spec.text.label}
          required
          hint={`最多 ${spec.text.max} 字`}
          error={errors['linkage.params.text'] ?? errors['linkage.params']}
        >
          <Input
            maxLength={spec.text.max}
            value={String(value.params.text ?? '')}
            onChange={(event) => onChange({ ...value, params: { ...value.params, text: event.target.value } })}
          />
        </FieldLabel>
      )}
      <Run value={value} onChange={onChange} errors={errors} />
      <div className="rule-part zg-above-12">
        <span>
          联锁条件<em>勾选的条件成立时不启动，运行中成立则停止</em>
        </span>
        <Checkbox.Group
          value={value.interlocks}
          options={Object.entries(interlocks).map(([key, label]) => ({ value: key, label }))}
          onChange={(next) => onChange({ ...value, interlocks: next.map(String) })}
        />
      </div>
      <div className="rule-part zg-above-12">
        <span>启动方式</span>
        <Segmented<LinkagePart['confirm']>
          className="zg-from-start"
          value={value.confirm}
          options={[
            { value: 'none', label: '自动启动' },
            { value: 'person', label: '人工确认后启动' },
          ]}
          onChange={(confirm) => onChange({ ...value, confirm })}
        />
        <em>{value.confirm === 'person' ? '10 分钟内无人确认则不启动' : '人工停止后 30 分钟内不再自动启动'}</em>
      </div>
    </FormSection>
  )
}

/** Sets a key, or removes it if the value is undefined. */
function withOr<K extends keyof LinkagePart>(part: LinkagePart, key: K, given: LinkagePart[K] | undefined): LinkagePart {
  const { [key]: _, ...rest } = part
  return (given === undefined ? rest : { ...part, [key]: given }) as LinkagePart
}

/** Timeline of a run; its maximum duration is required. */
function Run({
  value,
  onChange,
  errors,
}: {
  value: LinkagePart
  onChange: (part: LinkagePart) => void
  errors: Readonly<Record<string, string>>
}) {
  const spec = specOf(value.command)
  return (
    <div className="rule-run">
      <div className="rule-run-line" aria-hidden="true">
        <span className="start">
          <PlayCircleOutlined /> {commandWord(value.command)}
        </span>
        <span className="least">至少</span>
        <span className="most">告警恢复即停，最长</span>
        <span className="cool">冷却</span>
      </div>
      <div className="rule-parts">
        <FieldLabel
          label="停止命令"
          required={Boolean(spec?.stop)}
          error={errors['linkage.stopCommand']}
          hint={spec?.stop ? '' : '执行一次即结束'}
        >
          <Choice
            clear={false}
            disabled={!spec?.stop}
            value={value.stopCommand ?? null}
            options={
              spec?.stop ? [{ value: spec.stop, label: spec.stop === value.command ? '恢复（反向动作）' : commandWord(spec.stop) }] : []
            }
            onChange={(stopCommand) => onChange(withOr(value, 'stopCommand', stopCommand))}
          />
        </FieldLabel>
        <FieldLabel label="最短运行" error={errors['linkage.minRunSeconds']}>
          <SecondsInput value={value.minRunSeconds} onChange={(n) => onChange(withOr(value, 'minRunSeconds', n))} />
        </FieldLabel>
        <FieldLabel label="最长运行" required error={errors['linkage.maxRunSeconds']} hint="到时必停">
          <SecondsInput value={value.maxRunSeconds} onChange={(n) => onChange(withOr(value, 'maxRunSeconds', n))} />
        </FieldLabel>
        <FieldLabel label="冷却" hint="停止后多久才能再启动" error={errors['linkage.cooldownSeconds']}>
          <SecondsInput value={value.cooldownSeconds} onChange={(n) => onChange(withOr(value, 'cooldownSeconds', n))} />
        </FieldLabel>
      </div>
    </div>
  )
}
