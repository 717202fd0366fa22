import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { createHelmetGroup, listHelmetGroups, listHelmets, updateHelmetGroup } from '@zhugong/contract/monitoring/helmet/helmets'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Choices } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'

type Group = OutputFor<typeof listHelmetGroups>['list'][number]
/** Most helmets per group. */
const mostHelmets = 500
const nameMax = 30

interface GroupProps {
  /** Undefined: a new group. */
  group: Group | undefined
  groups: readonly Group[]
  projectCode: string
  onClose: () => void
}

/** Form of a group's name and helmets. A helmet is in at most one group: adding it moves it. */
export function HelmetGroup({ group, groups, projectCode, onClose }: GroupProps) {
  const [name, setName] = useState(group?.name ?? '')
  const [deviceIds, setDeviceIds] = useState<string[]>(group?.deviceIds ?? [])
  const helmets = useCall(listHelmets, { query: { projectCode, category: '700', size: mostHelmets } }, { quiet: true })
  const done = { success: '已保存分组', onDone: onClose, refreshes: [listHelmetGroups, listHelmets] }
  const making = useAct(createHelmetGroup, done)
  const changing = useAct(updateHelmetGroup, done)
  const failed = making.fieldErrors.name ?? changing.fieldErrors.name
  const elsewhere = (id: string) => groups.find((one) => one.id !== group?.id && one.deviceIds.includes(id))?.name
  const save = () =>
    group
      ? changing.run({ params: { id: group.id }, body: { name, deviceIds, version: group.version } })
      : making.run({ body: { projectCode, name, deviceIds } })
  return (
    <PageModal
      open
      title={group ? `修改分组 ${group.name}` : '新建分组'}
      okText="保存"
      cancelText="取消"
      okButtonProps={{ loading: making.running || changing.running, disabled: name.trim() === '' }}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <label htmlFor="helmet-group">分组名称（最多 {nameMax} 个字）</label>
      <Input id="helmet-group" value={name} maxLength={nameMax} onChange={(event) => setName(event.target.value)} />
      {failed && <p className="tone-danger">{failed}</p>}
      <label htmlFor="helmet-members">安全帽（已在别组的会移过来）</label>
      <Choices
        id="helmet-members"
        value={deviceIds}
        loading={helmets.isPending}
        options={(helmets.data?.list ?? []).map((one) => {
          const other = elsewhere(one.deviceId)
          return { value: one.deviceId, label: `${one.workerName ?? one.deviceName}${other ? `（${other}）` : ''}` }
        })}
        onChange={(value) => setDeviceIds(value ?? [])}
      />
    </PageModal>
  )
}
