import { publicSettings, updateSettings } from '@zhugong/contract/identity/endpoints'
import { Button, Input } from 'antd'
import type { ReactNode } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice } from '#kit/inputs.tsx'
import { loadSettings } from '#kit/me.ts'
import { differencesOf, SettingsForm } from '#kit/settings-shell.tsx'

const { Field } = formOf(updateSettings)

const labels = { tiles: '瓦片地址', crs: '坐标系', attribution: '版权与审图号' } as const
const systems = [
  { value: 'wgs84', label: 'WGS-84' },
  { value: 'gcj02', label: 'GCJ-02（高德、腾讯）' },
  { value: 'bd09', label: 'BD-09（百度）' },
]
const none = { tiles: '', crs: '', attribution: '' }

/** Tile service of world maps; without one a map shows a grid of longitude and latitude. */
export function MapPart({ choice }: { choice: ReactNode }) {
  const { data, error, refetch } = useCall(publicSettings, { query: {} }, { quiet: true, staleMs: 0 })
  const act = useAct(updateSettings, { success: '底图已保存，打开的页面刷新后生效', onDone: () => void loadSettings() })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const current = data.map ?? none
  const stop = () =>
    void act.afterRequesting(
      { thing: '停用底图服务', consequence: '选用世界地图的机构改以经纬网显示；模块地图不受影响。', verb: '停用', keep: '保留' },
      { body: { map: null } },
    )
  return (
    <SettingsForm
      key={data.map?.tiles ?? 'none'}
      act={act}
      title="系统设置"
      titleActions={choice}
      remark="底图服务用于选择了世界地图的机构（机构信息设置），须为有审图号的地图"
      initial={data.map ? { map: data.map } : {}}
      input={(body) => ({ body: { map: body.map } })}
      last={undefined}
      lock={undefined}
      differences={(values) => differencesOf(current, { ...current, ...(values as { map?: Partial<typeof current> }).map }, labels)}
    >
      <FieldGroup
        title="底图"
        actions={
          data.map && (
            <Button size="small" danger onClick={stop}>
              停用底图
            </Button>
          )
        }
      >
        <Field name="map.tiles" label={labels.tiles} span="all" help="含 {z}、{x}、{y}，以 https:// 或本机路径 / 开头" required>
          <Input placeholder="https://tiles.example.cn/{z}/{x}/{y}.png" />
        </Field>
        <Field name="map.crs" label={labels.crs} help="存储一律为 WGS-84，显示时换算" required>
          <Choice options={systems} />
        </Field>
        <Field name="map.attribution" label={labels.attribution} help="显示在地图右下角" required>
          <Input placeholder="天地图 GS(2025)0001号" />
        </Field>
      </FieldGroup>
    </SettingsForm>
  )
}
