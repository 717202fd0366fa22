import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import { deviceStatus } from '@zhugong/contract/equipment/codes'
import { verifyDevice } from '@zhugong/contract/equipment/device-tools'
import { createDevice, getDevice, updateDevice } from '@zhugong/contract/equipment/endpoints'
import { getGateway, listGateways, pollTypes } from '@zhugong/contract/equipment/gateway-endpoints'
import { keysSaidByAccess } from '@zhugong/contract/equipment/said-by-access'
import { isOn } from '@zhugong/contract/kit/enable'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { getFamily, listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button, Input } from 'antd'
import { useRef, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { DependentFields, Field, FormDrawer, useFieldValue, useFormInstance, type Values } from '#kit/form.tsx'
import { Choice, DayInput, NumberInput, Upload } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'
import { Copyable } from './copyable.tsx'
import { protocolOptions } from './device-words.tsx'
import { FactoryChoice, ModelChoice } from './library-parts.tsx'
import { OwnerChoice } from './owner-choice.tsx'
import { ProjectChoice } from './project-choice.tsx'

/** Create or change one device. The way it is reached and its parameters appear with what they depend on. */
export function DeviceForm({
  id,
  onClose,
  adopts,
  family,
  modelId,
  gatewayId,
}: {
  id: string | undefined
  onClose: () => void
  /** A stranger that is to become this device. */
  adopts?: { identifier: string; protocol: string; guess: string | null; gatewayId: string | null } | undefined
  family?: string | undefined
  modelId?: string | undefined
  /** The gateway it stands behind; its project is the device's. */
  gatewayId?: string | undefined
}) {
  const projectCode = useProjectCode()
  const gateway = useCall(getGateway, { params: { id: gatewayId ?? '' } }, { enabled: gatewayId !== undefined, quiet: true })
  const known = useCall(getDevice, { params: { id: id ?? '' } }, { enabled: id !== undefined, staleMs: 0 })
  const [password, setPassword] = useState<string>()
  // The password of a new station is told once, before the drawer goes.
  const told = useRef<string>(undefined)
  const create = useAct(createDevice, {
    success: ({ status }) => (status === deviceStatus.waiting ? '已提交，审核通过后投入使用' : '已登记'),
    onDone: (made) => {
      told.current = made.password
    },
  })
  const change = useAct(updateDevice, { success: ({ pending }) => (pending ? '已提交审核，通过前仍按旧值判断' : '已保存') })
  const device = known.data
  const editing = id !== undefined
  if ((editing && !device) || (gatewayId !== undefined && gateway.isPending)) return null
  const site = gateway.data?.projectCode ?? (projectCode === '*' ? undefined : projectCode)
  const initial: Values = device
    ? {
        ...Object.fromEntries(
          (
            [
              'projectCode',
              'name',
              'deviceSn',
              'family',
              'modelId',
              'providerId',
              'specialRecordNo',
              'ownerCorp',
              'installPlace',
              'installDate',
              'dueDate',
              'leader',
              'intervalSeconds',
              'lng',
              'lat',
            ] as const
          ).map((key) => [key, device[key] ?? undefined]),
        ),
        files: device.files,
        access: device.access,
        params: device.params,
      }
    : {
        projectCode: site,
        family: adopts?.guess ?? family ?? undefined,
        modelId,
        ...(adopts ? adopted(adopts) : { access: { protocol: family === 'environment' ? 'hj212' : 'mqtt', gatewayId } }),
      }
  const fields = (
    <Fields
      editing={editing}
      isFixed={editing || site !== undefined}
      deviceId={id}
      known={device}
      owner={device?.ownerCorp ? { code: device.ownerCorp, name: device.ownerCorpName ?? device.ownerCorp } : undefined}
    />
  )
  if (password !== undefined) {
    return (
      <PageModal
        open
        title="监测站密码只显示这一次"
        okText="已保存"
        onOk={onClose}
        onCancel={onClose}
        cancelButtonProps={{ style: { display: 'none' } }}
      >
        <p style={{ marginBottom: 8 }}>写入监测站的 PW，关闭后不能再次查看。</p>
        <Copyable text={password} />
      </PageModal>
    )
  }
  return editing && device ? (
    <FormDrawer
      open
      title="编辑设备"
      remark={device.name}
      act={change}
      schema={updateDevice.schemas.body}
      initial={initial}
      onClose={onClose}
      input={(body) => ({ params: { id: device.id }, body: { ...clean(body), version: device.version } })}
    >
      {fields}
    </FormDrawer>
  ) : (
    <FormDrawer
      open
      title={adopts ? '认领设备' : '新增设备'}
      remark={adopts ? adopts.identifier : undefined}
      act={create}
      schema={createDevice.schemas.body}
      initial={initial}
      onClose={() => (told.current === undefined ? onClose() : setPassword(told.current))}
      input={(body) => ({ body: { ...clean(body), adopts: adopts?.identifier } })}
    >
      {fields}
    </FormDrawer>
  )
}

/** What is known of a stranger, laid into the form. */
function adopted(one: { identifier: string; protocol: string; gatewayId: string | null }): Values {
  const sn = one.identifier.split('/').at(-1) ?? one.identifier
  if (one.protocol === 'hj212') return { deviceSn: sn, access: { protocol: 'hj212', mn: sn } }
  if (one.protocol === 'jt808') return { deviceSn: sn, access: { protocol: 'jt808', phone: sn } }
  if (one.protocol === 'http') return { deviceSn: sn, access: { protocol: 'http' } }
  return { deviceSn: sn, access: { protocol: 'mqtt', gatewayId: one.gatewayId ?? undefined } }
}

/** What was left empty is not sent. */
const filledIn = (params: Record<string, unknown> | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params ?? {}).filter(([, v]) => v !== undefined && v !== null && v !== ''))

/** An empty password means that the present one stays. */
function clean<T extends { access?: object | undefined; params?: Record<string, unknown> | undefined }>(body: T): T {
  const access = { ...body.access }
  if ('password' in access && !access.password) delete access.password
  return { ...body, access, params: filledIn(body.params) }
}

type Known = Pick<OutputFor<typeof getDevice>, 'modelId' | 'modelName' | 'providerId' | 'providerName'>
const nameOf = (id: string | null | undefined, name: string | null | undefined) => (id && name ? { id, name } : undefined)

function Fields({
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
  const kind = useCall(getFamily, { params: { key: family ?? '' } }, { enabled: Boolean(family), staleMs: 3_600_000 })
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
          <Field name={['access', 'appId']} label="应用编号">
            <Input placeholder="开放平台分配的 appId" />
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
              {...(one.min !== undefined && one.max !== undefined ? { help: `${one.min}～${one.max} ${one.unit}` } : {})}
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

/** Looks the entry over before it is saved: taken numbers, ranges, what is missing. */
function Verify({ deviceId }: { deviceId: string | undefined }) {
  const form = useFormInstance()
  const act = useAct(verifyDevice, { success: false })
  const [checks, setChecks] = useState<readonly { key: string; label: string; ok: boolean; text: string }[]>()
  const run = async () => {
    const values = form.getFieldsValue(true) as Record<string, unknown> & { access?: Record<string, unknown> }
    const text = (value: unknown) => (typeof value === 'string' && value.trim() ? value.trim() : undefined)
    const done = await act.run({
      body: {
        id: deviceId,
        deviceSn: text(values.deviceSn),
        projectCode: text(values.projectCode),
        family: text(values.family),
        gatewayId: text(values.access?.gatewayId),
        mn: text(values.access?.mn),
        params: filledIn(values.params as Record<string, unknown> | undefined),
      },
    })
    if (!done) return
    setChecks(done.data.checks)
    if (done.data.ok) notify.success('校验通过')
  }
  return (
    <div className="zg-span-all" style={{ marginBottom: 16 }}>
      <Button loading={act.running} onClick={() => void run()}>
        校验
      </Button>
      {checks && (
        <ul style={{ listStyle: 'none', marginTop: 8, lineHeight: '24px' }} aria-label="校验结果">
          {checks.map((one) => (
            <li key={one.key}>
              {one.ok ? <CheckCircleFilled className="tone-fine" /> : <CloseCircleFilled className="tone-danger" />} {one.label}：
              <span className={one.ok ? 'zg-2' : 'tone-danger'}>{one.text}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
