import { groupTypes } from '@zhugong/contract/access/group-types'
import { publicSettings, updateSettings } from '@zhugong/contract/identity/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { saveOwnDictionary } from '@zhugong/contract/settings/own-dictionaries'
import {
  getSystem,
  leastAttendancePictureDays,
  leastDevicePictureDays,
  leastVideoDays,
  retentionNames,
  type Safety,
  safetyNames,
  setSystem,
  tryChannel,
} from '@zhugong/contract/settings/system'
import { Button, Input, Segmented, Switch } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, Pairs, Tag } from '#kit/feedback.tsx'
import { FieldGroup, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { NumberInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { reload, useGroupType } from '#kit/me.ts'
import { hrefOf, useGo, usePageParam } from '#kit/page.tsx'
import { differencesOf, SettingsForm } from '#kit/settings-shell.tsx'
import { AreaPart } from './area-part.tsx'
import { Audit } from './audit-part.tsx'
import { DictionaryPart } from './dictionary-part.tsx'
import { MaintenancePart } from './maintenance-part.tsx'
import { MapPart } from './map-part.tsx'
import './settings.css'

const appearance = formOf(updateSettings)
const part = formOf(setSystem)
const trial = formOf(tryChannel)

const tabs = [
  { value: 'public', label: '公共信息' },
  { value: 'safety', label: '安全策略' },
  { value: 'retention', label: '数据保留' },
  { value: 'map', label: '地图' },
  { value: 'maintenance', label: '计划维护' },
  { value: 'dictionary', label: '字典' },
  { value: 'areas', label: '行政区划' },
  { value: 'channels', label: '通知渠道' },
  { value: 'audit', label: '审计日志' },
  { value: 'status', label: '运行状态' },
] as const
/** Tabs open to groups as well; the others are the operator's. */
const groupTabs: readonly string[] = ['dictionary', 'areas']
type Tab = (typeof tabs)[number]['value']
type System = OutputFor<typeof getSystem>

/** Settings of the deployment by its operator; groups can extend dictionaries and areas. */
export default function SystemPage() {
  const go = useGo()
  const requested = usePageParam('part')
  const isOperator = useCan(setSystem)
  const mayArrange = useCan(saveOwnDictionary)
  const isCompany = useGroupType() === groupTypes.corporation
  const open = tabs.filter(({ value }) => (groupTabs.includes(value) ? mayArrange && !(value === 'areas' && isCompany) : isOperator))
  const tab: Tab = open.find((one) => one.value === requested)?.value ?? open[0]?.value ?? 'dictionary'
  const read = useCall(getSystem, {}, { quiet: true, staleMs: 0, keepPrevious: true, enabled: isOperator })
  const choice = open.length > 1 && (
    <Segmented<Tab>
      aria-label="系统设置分类"
      value={tab}
      options={open}
      onChange={(next) => go(hrefOf('/system/set', next === open[0]?.value ? {} : { part: next }))}
    />
  )
  if (tab === 'dictionary') return <DictionaryPart choice={choice} />
  if (tab === 'areas') return <AreaPart choice={choice} />
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  const system = read.data
  if (tab === 'public') return <Public choice={choice} />
  if (tab === 'map') return <MapPart choice={choice} />
  if (tab === 'maintenance') return <MaintenancePart choice={choice} />
  if (tab === 'safety') return <SafetyPart choice={choice} system={system} />
  if (tab === 'retention') return <RetentionPart choice={choice} system={system} />
  return (
    <PageShell title="系统设置" remark="只对本部署；每次修改都记入审计日志" actions={choice}>
      {tab === 'channels' && <Channels system={system} />}
      {tab === 'audit' && <Audit />}
      {tab === 'status' && (
        <Card title="运行状态" remark="只读">
          <Pairs items={system.status} />
        </Card>
      )}
    </PageShell>
  )
}

const publicLabels = {
  mainHead: '主标题',
  subHead: '副标题',
  privateCloudIdentifier: '标识文字',
  prjBtnName: '项目端按钮',
  govBtnName: '监管端按钮',
  serviceHotline: '服务热线',
  helpDoc: '帮助文档',
  keepLiveAllowed: '允许保持登录',
} as const

function Public({ choice }: { choice: React.ReactNode }) {
  const { data, error, refetch } = useCall(publicSettings, { query: {} }, { quiet: true, staleMs: 0 })
  const act = useAct(updateSettings, { success: '已保存，打开的页面刷新后生效', onDone: () => void reload() })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const initial = Object.fromEntries(Object.keys(publicLabels).map((key) => [key, data[key as keyof typeof publicLabels]]))
  return (
    <SettingsForm
      act={act}
      title="系统设置"
      titleActions={choice}
      remark="登录页与页头的文字"
      initial={initial}
      input={(body) => ({ body })}
      last={undefined}
      lock={undefined}
      differences={(values) => differencesOf(initial, { ...initial, ...values }, publicLabels)}
    >
      <FieldGroup title="公共信息">
        <appearance.Field name="mainHead" label={publicLabels.mainHead}>
          <Input />
        </appearance.Field>
        <appearance.Field name="subHead" label={publicLabels.subHead} help="市级部署可留空">
          <Input />
        </appearance.Field>
        <appearance.Field name="privateCloudIdentifier" label={publicLabels.privateCloudIdentifier}>
          <Input />
        </appearance.Field>
        <appearance.Field name="prjBtnName" label={publicLabels.prjBtnName}>
          <Input />
        </appearance.Field>
        <appearance.Field name="govBtnName" label={publicLabels.govBtnName}>
          <Input />
        </appearance.Field>
        <appearance.Field name="serviceHotline" label={publicLabels.serviceHotline} help="登录页、入口页显示">
          <Input />
        </appearance.Field>
        <appearance.Field name="helpDoc" label={publicLabels.helpDoc} help="页头帮助，各组可另设">
          <Input />
        </appearance.Field>
        <appearance.Field name="keepLiveAllowed" label={publicLabels.keepLiveAllowed} valueName="checked" help="只对企业和项目账号">
          <Switch />
        </appearance.Field>
      </FieldGroup>
    </SettingsForm>
  )
}

interface PartProps {
  choice: React.ReactNode
  system: System
}

function SafetyPart({ choice, system: { safety } }: PartProps) {
  const act = useAct(setSystem, { success: '安全策略已保存，新的登录按此执行' })
  const units = { idleMinutes: '分钟', keepHours: '小时', lockAfter: '次', lockMinutes: '分钟' } as const satisfies Partial<
    Record<keyof Safety, string>
  >
  return (
    <SettingsForm
      key={safety.version}
      act={act}
      title="系统设置"
      titleActions={choice}
      remark="对所有账号的会话与登录尝试；动态口令由各组在“授权设置”中要求，平台可为下级锁定"
      initial={{ part: 'safety', value: safety.value, version: safety.version }}
      input={(body) => ({ body })}
      last={{ by: safety.updateBy, at: safety.updateTime }}
      lock={undefined}
      differences={(values) =>
        differencesOf<Safety>(safety.value, { ...safety.value, ...(values as { value?: Partial<Safety> }).value }, safetyNames)
      }
    >
      <FieldGroup title="会话与锁定">
        {(Object.keys(units) as (keyof typeof units)[]).map((key) => (
          <part.Field key={key} name={`value.${key}`} label={safetyNames[key]} required>
            <NumberInput unit={units[key]} />
          </part.Field>
        ))}
        <part.Field
          name="value.adminAddresses"
          label={safetyNames.adminAddresses}
          span="all"
          help="IP 地址或网段，用逗号分开；留空不限。须含您现在的地址；不在名单内的平台管理员得到与密码错误相同的回答"
        >
          <Input placeholder="例如 10.1.0.0/16，203.0.113.8" />
        </part.Field>
      </FieldGroup>
    </SettingsForm>
  )
}

function RetentionPart({ choice, system: { retention } }: PartProps) {
  const act = useAct(setSystem, { success: '保留期已保存，下一次清理按此执行' })
  return (
    <SettingsForm
      key={retention.version}
      act={act}
      title="系统设置"
      titleActions={choice}
      remark="审计日志、考勤账本不清理"
      initial={{ part: 'retention', value: retention.value, version: retention.version }}
      input={(body) => ({ body })}
      last={{ by: retention.updateBy, at: retention.updateTime }}
      lock={undefined}
      differences={(values) =>
        differencesOf(
          retention.value,
          { ...retention.value, ...(values as { value?: Partial<typeof retention.value> }).value },
          retentionNames,
        )
      }
    >
      <FieldGroup title="数据保留">
        <part.Field name="value.messageDays" label={retentionNames.messageDays} required>
          <NumberInput unit="天" />
        </part.Field>
        <part.Field
          name="value.logDays"
          label={retentionNames.logDays}
          help="至少 180 天（网络安全法 第二十一条：网络日志不少于六个月）"
          required
        >
          <NumberInput unit="天" />
        </part.Field>
        <part.Field
          name="value.attendancePictureDays"
          label={retentionNames.attendancePictureDays}
          help={`至少 ${leastAttendancePictureDays} 天（劳动争议仲裁时效一年）；考勤记录与其校验值不清理`}
          required
        >
          <NumberInput unit="天" />
        </part.Field>
        <part.Field
          name="value.devicePictureDays"
          label={retentionNames.devicePictureDays}
          help={`至少 ${leastDevicePictureDays} 天；人工上传的资料与附件不清理`}
          required
        >
          <NumberInput unit="天" />
        </part.Field>
        <part.Field
          name="value.videoDays"
          label={retentionNames.videoDays}
          help={`至少 ${leastVideoDays} 天（公共安全视频图像信息系统管理条例 第二十条）；附在告警上的不清理，录像由媒体服务器保存`}
          required
        >
          <NumberInput unit="天" />
        </part.Field>
      </FieldGroup>
    </SettingsForm>
  )
}

const channelNames = { mail: '邮件', sms: '短信' } as const
type Channel = keyof typeof channelNames

function Channels({ system }: { system: System }) {
  const [trying, setTrying] = useState<Channel>()
  const act = useAct(tryChannel, { success: '已发出，请到收件处核对' })
  return (
    <Card title="通知渠道" remark="在部署的环境变量中接入" flush>
      <dl>
        {(Object.keys(channelNames) as Channel[]).map((channel) => (
          <div key={channel} className="set-line">
            <dt>{channelNames[channel]}</dt>
            <dd>
              <Tag tone={system.channels[channel] ? 'fine' : 'neutral'}>{system.channels[channel] ? '已接入' : '未接入'}</Tag>
            </dd>
            <dd className="acts">
              <Button disabled={!system.channels[channel]} onClick={() => setTrying(channel)}>
                发送测试
              </Button>
            </dd>
          </div>
        ))}
      </dl>
      {trying && (
        <FormDrawer
          open
          narrow
          width={400}
          act={act}
          title={`${channelNames[trying]}测试`}
          initial={{ channel: trying }}
          input={(body) => ({ body })}
          saveText="发送"
          onClose={() => setTrying(undefined)}
        >
          <trial.Field name="to" label={trying === 'mail' ? '收件邮箱' : '手机号'} required>
            <Input />
          </trial.Field>
        </FormDrawer>
      )}
    </Card>
  )
}
