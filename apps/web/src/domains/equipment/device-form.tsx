import { deviceStatus } from '@zhugong/contract/equipment/codes'
import { createDevice, getDevice, updateDevice } from '@zhugong/contract/equipment/endpoints'
import { getGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { type ProtocolKey, protocolKeys, protocolOf, protocols } from '@zhugong/contract/protocols/catalogue'
import { useRef, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { FormDrawer, type Values } from '#kit/form.tsx'
import { useProjectCode } from '#kit/me.ts'
import { PageModal } from '#kit/overlay.tsx'
import { Copyable } from './copyable.tsx'
import { Fields } from './device-fields.tsx'
import { filledIn } from './filled-params.ts'

/** Form to create or change a device. Access settings and parameters depend on protocol and family. */
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
  /** An unregistered device that becomes this device. */
  adopts?: { identifier: string; protocol: string; guess: string | null; gatewayId: string | null } | undefined
  family?: string | undefined
  modelId?: string | undefined
  /** The gateway of the device; the device gets its project. */
  gatewayId?: string | undefined
}) {
  const projectCode = useProjectCode()
  const gateway = useCall(getGateway, { params: { id: gatewayId ?? '' } }, { enabled: gatewayId !== undefined, quiet: true })
  const known = useCall(getDevice, { params: { id: id ?? '' } }, { enabled: id !== undefined, staleMs: 0 })
  const [password, setPassword] = useState<string>()
  // The password of a new station is shown once, before the drawer closes.
  const reported = useRef<string>(undefined)
  const create = useAct(createDevice, {
    success: ({ status }) => (status === deviceStatus.waiting ? '已提交，审核通过后投入使用' : '已登记'),
    onDone: (made) => {
      reported.current = made.password
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
        ...(adopts ? adopted(adopts) : { access: { protocol: usualProtocol(family), gatewayId } }),
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
        <p className="zg-below">写入监测站的 PW，关闭后不能再次查看。</p>
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
      initial={initial}
      onClose={() => (reported.current === undefined ? onClose() : setPassword(reported.current))}
      input={(body) => ({ body: { ...clean(body), adopts: adopts?.identifier } })}
    >
      {fields}
    </FormDrawer>
  )
}

const usualProtocol = (family: string | null | undefined): ProtocolKey =>
  protocolKeys.find((key) => family && protocolOf(key)?.usualOf.includes(family)) ?? 'mqtt'

/** Initial values from an unregistered device. */
function adopted(one: { identifier: string; protocol: string; gatewayId: string | null }): Values {
  const deviceSn = one.identifier.split('/').at(-1) ?? one.identifier
  const protocol = protocolKeys.find((key) => key === one.protocol) ?? 'mqtt'
  return { deviceSn, access: { protocol, ...protocols[protocol].adopted(deviceSn, one.gatewayId ?? undefined) } }
}

/** An empty password keeps the current one. */
function clean<T extends { access?: object | undefined; params?: Record<string, unknown> | undefined }>(body: T): T {
  const access = { ...body.access }
  if ('password' in access && !access.password) delete access.password
  return { ...body, access, params: filledIn(body.params) }
}
