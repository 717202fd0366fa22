import { dockingType } from '@zhugong/contract/equipment/codes'
import { createDocking, getDocking, updateDocking } from '@zhugong/contract/equipment/docking-endpoints'
import { enables, isOn } from '@zhugong/contract/kit/enable'
import { Checkbox } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { initialOf, MakeOrChange } from '#kit/make-or-change.tsx'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import './equipment.css'
import { Fields } from './docking-fields.tsx'
import { emptyMapping } from './docking-mapping.tsx'
import { PushKey } from './docking-push.tsx'

/** Creates a docking with another platform, or changes one (`?id=`). */
export default function DockingFormPage() {
  const id = usePageQuery().get('id') ?? ''
  const page = usePage()
  const [key, setKey] = useState<{ id: string; pushSecret: string }>()
  const [enable, setEnable] = useState(false)
  const known = useCall(getDocking, { params: { id } }, { enabled: id !== '', staleMs: 0 })
  const done = (made: { id: string; pushSecret?: string | undefined }) =>
    made.pushSecret ? setKey({ id: made.id, pushSecret: made.pushSecret }) : page.leave(hrefOf('/gatewayOther/details', { id: made.id }))
  const docking = known.data
  if (key) return <PushKey {...key} />
  const fields = <Fields docking={docking} />
  const andEnable = (
    <Checkbox checked={enable} onChange={(event) => setEnable(event.target.checked)}>
      保存后启用
    </Checkbox>
  )
  return (
    <MakeOrChange
      id={id}
      make={{
        title: '新增第三方对接',
        call: createDocking,
        success: '对接已新增',
        initial: {
          connType: dockingType.push,
          httpMethod: 'GET',
          authKind: 'none',
          scheduleMinutes: 5,
          mapping: emptyMapping,
          modelMatch: {},
          projectMatch: {},
        },
        input: (body) => ({ body: { ...body, enable: enable ? enables.on : enables.off } }),
        onDone: done,
      }}
      change={{
        title: '编辑第三方对接',
        remark: docking?.name,
        call: updateDocking,
        initial: initialOf(updateDocking, docking && { ...docking, enable: undefined }),
        input: (body) => ({ params: { id }, body: { ...body, enable: enable ? enables.on : undefined } }),
        onDone: done,
      }}
      barActions={!docking || !isOn(docking.enable) ? andEnable : undefined}
    >
      {fields}
    </MakeOrChange>
  )
}
