import { listGateways, pollTypes } from '@zhugong/contract/equipment/gateway-endpoints'
import { listOpenApps } from '@zhugong/contract/equipment/open-apps'
import { isOn } from '@zhugong/contract/kit/enable'
import type { ProtocolKey } from '@zhugong/contract/protocols/catalogue'
import { crcModes } from '@zhugong/contract/protocols/hj212'
import { Input } from 'antd'
import type { ReactNode } from 'react'
import { useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { DependentFields } from '#kit/form.tsx'
import { Choice } from '#kit/inputs.tsx'
import { Field } from './device-form-fields.ts'

interface AccessProps {
  projectCode: string | undefined
  /** The device exists already. */
  editing: boolean
}

/** The access settings of each protocol in the device form. */
const fields: Readonly<Record<ProtocolKey, (props: AccessProps) => ReactNode>> = {
  mqtt: GatewayFields,
  hj212: StationFields,
  jt808: TerminalFields,
  http: AppFields,
  poll: PolledFields,
}

export function AccessFields({ protocol, ...props }: AccessProps & { protocol: string }) {
  const Fields = Object.hasOwn(fields, protocol) ? fields[protocol as ProtocolKey] : undefined
  return Fields ? <Fields {...props} /> : null
}

/** Gateways of a project that are polled, or that connect to the platform. */
function useGateways(projectCode: string | undefined, polled: boolean) {
  const gateways = useCall(listGateways, { query: { projectCode: projectCode ?? '*', size: 200 } })
  const isPolled = (type: string) => pollTypes.some((one) => one === type)
  return { gateways, behind: (gateways.data?.list ?? []).filter((one) => isPolled(one.connectionType) === polled) }
}

function GatewayFields({ projectCode }: AccessProps) {
  const { gateways, behind } = useGateways(projectCode, false)
  return (
    <DependentFields why="经本平台网关接入：设备的消息由网关转发">
      <Field
        name="access.gatewayId"
        label="网关"
        required
        span="all"
        help={gateways.data?.total === 0 ? '本项目还没有网关，请先在网关管理中新增' : undefined}
      >
        <Choice
          loading={gateways.isFetching}
          options={behind.map((one) => ({
            value: one.id,
            label: `${one.name}（${isOn(one.status) ? (one.online ? '在线' : '离线') : '已停用'}，${one.devices} 台）`,
          }))}
        />
      </Field>
    </DependentFields>
  )
}

function PolledFields({ projectCode }: AccessProps) {
  const { gateways, behind } = useGateways(projectCode, true)
  return (
    <DependentFields why="平台按间隔向网关后面的仪表询问，寄存器取自型号">
      <Field
        name="access.gatewayId"
        label="轮询网关"
        required
        help={gateways.data && behind.length === 0 ? '本项目还没有轮询网关，请先在网关管理中新增' : undefined}
      >
        <Choice
          loading={gateways.isFetching}
          options={behind.map((one) => ({ value: one.id, label: `${one.name}（${one.devices} 台）` }))}
        />
      </Field>
      <Field name="access.address" label="从站号或表号" required>
        <Input placeholder="Modbus 1～247，电表与水表填表号" />
      </Field>
    </DependentFields>
  )
}

function StationFields({ editing }: AccessProps) {
  return (
    <DependentFields why="HJ 212 数据采集传输：监测站直连平台">
      <Field name="access.mn" label="MN" required>
        <Input placeholder="5～40 位" />
      </Field>
      <Field name="access.password" label="密码 PW" help={editing ? '不填则沿用现在的密码' : '不填则由平台生成，保存后显示一次'}>
        <Input.Password autoComplete="new-password" />
      </Field>
      {(['tsp', 'pm10', 'pm25'] as const).map((key) => (
        <Field
          key={key}
          name={`access.units.${key}`}
          label={`${{ tsp: 'TSP', pm10: 'PM10', pm25: 'PM2.5' }[key]} 上报单位`}
          help="不确认单位时数据只保存不判断"
        >
          <Choice
            options={[
              { value: 'ug', label: 'μg/m³' },
              { value: 'mg', label: 'mg/m³' },
            ]}
          />
        </Field>
      ))}
      <Field name="access.crcMode" label="校验方式" initial="standard">
        <Choice clear={false} options={Object.entries(crcModes).map(([value, label]) => ({ value, label }))} />
      </Field>
    </DependentFields>
  )
}

function TerminalFields() {
  return (
    <DependentFields why="JT/T 808 终端：以终端手机号识别">
      <Field name="access.phone" label="终端手机号" required>
        <Input placeholder="10～20 位数字" />
      </Field>
      <Field name="access.terminalId" label="终端 ID" help="印在终端上；不填时绑定首次注册的终端">
        <Input />
      </Field>
    </DependentFields>
  )
}

function AppFields({ projectCode }: AccessProps) {
  return (
    <DependentFields why="第三方平台经开放接口推送">
      <Field name="access.appId" label="应用" help="不选时，本项目任何能上报这类设备的应用都可以推送；应用在 网关管理 的 开放应用 中新增">
        <AppChoice projectCode={projectCode} />
      </Field>
    </DependentFields>
  )
}

/** Applications of the open API of the device's project. */
function AppChoice({ projectCode, ...control }: Control<string> & { projectCode: string | undefined }) {
  const apps = useCall(
    listOpenApps,
    { query: { projectCode: projectCode ?? '*', size: 200 } },
    { quiet: true, enabled: Boolean(projectCode) },
  )
  return (
    <Choice
      {...control}
      loading={Boolean(projectCode) && apps.isPending}
      options={(apps.data?.list ?? []).map((one) => ({ value: one.id, label: `${one.name}（${one.id}）` }))}
    />
  )
}
