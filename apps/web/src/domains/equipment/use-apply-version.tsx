import { updateModel } from '@zhugong/contract/equipment/model-endpoints'
import { confirmDanger } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { notify } from '#kit/notify.ts'

/** Updates devices of older versions to this one; shows the parameters that will be filled in first. */
export function useApplyVersion(id: string, version: number | undefined) {
  const act = useAct(updateModel, { success: false })
  const apply = async () => {
    const seen = await act.run({ params: { id }, body: { applyTo: 'preview' } })
    const applied = seen?.data.applied
    if (!applied) return
    if (applied.devices === 0) {
      notify.success('没有使用旧版本的设备')
      return
    }
    const yes = await confirmDanger({
      thing: `让 ${applied.devices} 台设备改用 V${version}`,
      consequence: (
        <>
          缺少的参数按默认值补齐，已有的不覆盖。
          <ul className="eq-filled-in">
            {applied.changes.slice(0, 20).map((one) => (
              <li key={`${one.projectName}/${one.deviceName}`}>
                {one.projectName} {one.deviceName}（{one.from}）{one.params.length ? `：补 ${one.params.join('、')}` : ''}
              </li>
            ))}
          </ul>
        </>
      ),
      verb: `应用到 ${applied.devices} 台`,
      keep: '暂不应用',
    })
    if (yes && (await act.run({ params: { id }, body: { applyTo: 'all' } }))) notify.success('已应用')
  }
  return { apply, applying: act.running }
}
