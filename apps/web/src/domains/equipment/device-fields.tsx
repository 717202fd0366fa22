import type { getDevice } from '@zhugong/contract/equipment/endpoints'
import { listGateways, pollTypes } from '@zhugong/contract/equipment/gateway-endpoints'
import { listOpenApps } from '@zhugong/contract/equipment/open-apps'
import { keysSaidByAccess } from '@zhugong/contract/equipment/said-by-access'
import { isOn } from '@zhugong/contract/kit/enable'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Input } from 'antd'
import { useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { useFamily } from '#kit/family.ts'
import { DependentFields, Field, useFieldValue } from '#kit/form.tsx'
import { Choice, DayInput, NumberInput, Upload } from '#kit/inputs.tsx'
import { Verify } from './device-verify.tsx'
import { protocolOptions } from './device-words.tsx'
import { FactoryChoice, ModelChoice } from './library-parts.tsx'
import { OwnerChoice } from './owner-choice.tsx'
import { ProjectChoice } from './project-choice.tsx'

type Known = Pick<OutputFor<typeof getDevice>, 'modelId' | 'modelName' | 'providerId' | 'providerName'>

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

const nameOf = (id: string | null | undefined, name: string | null | undefined) => (id && name ? { id, name } : undefined)

export function Fields({
  editing,
  isFixed,
  deviceId,
  known,
  owner,
}: {
  editing: boolean
  /** Its project is given, not chosen. */
  isFixed: boolean
  /** What the device has now, by name. */
  known: Known | undefined
  deviceId: string | undefined
  owner: { code: string; name: string } | undefined
}) {
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000 })
  const family = useFieldValue<string>('family')
  const protocol = useFieldValue<string>(['access', 'protocol'])
  const project = useFieldValue<string>('projectCode')
  const gateways = useCall(
    listGateways,
    { query: { projectCode: project ?? '*', size: 200 } },
    { enabled: protocol === 'mqtt' || protocol === 'poll' },
  )
  const kind = useFamily(family)
  const polled = (type: string) => pollTypes.some((one) => one === type)
  const asked = (kind.data?.params ?? []).filter((one) => !keysSaidByAccess(protocol).includes(one.key))
  const behind = (gateways.data?.list ?? []).filter((one) => polled(one.connectionType) === (protocol === 'poll'))
  return (
    <>
      <Field name="projectCode" label="项目" required>
        <ProjectChoice isFixed={isFixed} />
      </Field>
      <Field name="family" label="设备类别" required>
        <Choice
          clear={false}
          disabled={editing}
          loading={families.isPending}
          options={(families.data?.list ?? []).map((one) => ({ value: one.key, label: one.name }))}
        />
      </Field>
      <Field name="name" label="设备名称">
        <Input placeholder="现场叫法，如 3# 塔机" />
      </Field>
      <Field name="deviceSn" label="序列号">
        <Input placeholder="铭牌或网关上报的编号" />
      </Field>
      <Field name={['access', 'protocol']} label="接入方式" required>
        <Choice clear={false} options={protocolOptions} />
      </Field>
      <Field name="intervalSeconds" label="上报间隔" help="超过三个间隔没有数据即显示为陈旧">
        <NumberInput unit="秒" min={0.1} max={86400} />
      </Field>
      {protocol === 'mqtt' && (
        <DependentFields why="经本平台网关接入：设备的消息由网关转发">
          <Field
            name={['access', 'gatewayId']}
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
      )}
      {protocol === 'poll' && (
        <DependentFields why="平台按间隔向网关后面的仪表询问，寄存器取自型号">
          <Field
            name={['access', 'gatewayId']}
            label="轮询网关"
            required
            help={gateways.data && behind.length === 0 ? '本项目还没有轮询网关，请先在网关管理中新增' : undefined}
          >
            <Choice
              loading={gateways.isFetching}
              options={behind.map((one) => ({ value: one.id, label: `${one.name}（${one.devices} 台）` }))}
            />
          </Field>
          <Field name={['access', 'address']} label="从站号或表号" required>
            <Input placeholder="Modbus 1～247，电表与水表填表号" />
          </Field>
        </DependentFields>
      )}
      {protocol === 'hj212' && (
        <DependentFields why="HJ 212 数据采集传输：监测站直连平台">
          <Field name={['access', 'mn']} label="MN" required>
            <Input placeholder="5～40 位" />
          </Field>
          <Field name={['access', 'password']} label="密码 PW" help={editing ? '不填则沿用现在的密码' : '不填则由平台生成，保存后显示一次'}>
            <Input.Password autoComplete="new-password" />
          </Field>
          {(['tsp', 'pm10', 'pm25'] as const).map((key) => (
            <Field
              key={key}
              name={['access', 'units', key]}
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
          <Field name={['access', 'crcMode']} label="校验方式" initial="standard">
            <Choice
              clear={false}
              options={[
                { value: 'standard', label: '标准 CRC16（HJ 212）' },
                { value: 'modbus', label: 'Modbus CRC16' },
              ]}
            />
          </Field>
        </DependentFields>
      )}
      {protocol === 'jt808' && (
        <DependentFields why="JT/T 808 终端：以终端手机号识别">
          <Field name={['access', 'phone']} label="终端手机号" required>
            <Input placeholder="10～20 位数字" />
          </Field>
          <Field name={['access', 'terminalId']} label="终端 ID" help="印在终端上；不填时绑定首次注册的终端">
            <Input />
          </Field>
        </DependentFields>
      )}
      {protocol === 'http' && (
        <DependentFields why="第三方平台经开放接口推送">
          <Field
            name={['access', 'appId']}
            label="应用"
            help="不选时，本项目任何能上报这类设备的应用都可以推送；应用在 网关管理 的 开放应用 中新增"
          >
            <AppChoice projectCode={project} />
          </Field>
        </DependentFields>
      )}
      <Field name="modelId" label="型号" help="选型号后带入厂家、品牌与默认参数">
        <ModelChoice family={family} known={nameOf(known?.modelId, known?.modelName)} />
      </Field>
      <Field name="providerId" label="供应商">
        <FactoryChoice kind="provider" known={nameOf(known?.providerId, known?.providerName)} />
      </Field>
      {(family === 'towerCrane' || family === 'lifter') && (
        <Field name="specialRecordNo" label="产权备案编号" help="塔机、升降机审核通过前必填">
          <Input />
        </Field>
      )}
      <Field name="ownerCorp" label="产权单位" help="设备归谁所有；租赁设备填租赁公司">
        <OwnerChoice projectCode={project} known={owner} />
      </Field>
      <Field name="installPlace" label="安装位置">
        <Input />
      </Field>
      <Field name="leader" label="负责人">
        <Input />
      </Field>
      <Field name="installDate" label="安装日期">
        <DayInput />
      </Field>
      <Field name="dueDate" label="服务到期">
        <DayInput />
      </Field>
      <Field name="files" label="附件" span="all">
        <Upload max={10} accept="image/*,.pdf" maxMb={10} />
      </Field>
      {kind.data && asked.length > 0 && (
        <DependentFields why={`${kind.data.name}的参数：缺少的参数会让相关告警无法判断`}>
          {asked.map((one) => (
            <Field
              key={one.key}
              name={['params', one.key]}
              label={one.label}
              help={one.min !== undefined && one.max !== undefined ? `${one.min}～${one.max} ${one.unit}` : undefined}
            >
              {one.values ? (
                <Choice options={Object.entries(one.values).map(([value, label]) => ({ value, label }))} />
              ) : one.type === 'number' || one.type === 'integer' ? (
                <NumberInput unit={one.unit} min={one.min} max={one.max} precision={one.precision ?? 2} />
              ) : (
                <Input maxLength={64} />
              )}
            </Field>
          ))}
        </DependentFields>
      )}
      <Verify deviceId={deviceId} />
    </>
  )
}
