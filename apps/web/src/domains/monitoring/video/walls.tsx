import { SaveOutlined } from '@ant-design/icons'
import { addWall, changeWall, listWalls, mostWalls, removeWall, type VideoWall } from '@zhugong/contract/monitoring/video/video-walls'
import { Button, Input, Radio } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Empty, Known, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import '../lift/lift.css'

const { Field } = formOf(changeWall, addWall)

export interface Wall {
  size: number
  ids: readonly string[]
}
interface WallsProps {
  projectCode: string
  /** The current layout. */
  now: Wall
  onUse: (wall: Wall) => void
}
const refreshes = [listWalls]

/** Menu of layouts of one's own and of the group, and saving of the current one. */
export function WallsButton(props: WallsProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<SaveOutlined />} onClick={() => setOpen(true)}>
        布局
      </Button>
      {open && <Walls {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function Walls({ projectCode, now, onUse, onClose }: WallsProps & { onClose: () => void }) {
  const may = useCan(addWall, { projectCode })
  const [saving, setSaving] = useState(false)
  const all = useCall(listWalls, { query: { projectCode, size: 100 } })
  const list = all.data?.list ?? []
  const change = useAct(changeWall, { success: '已按墙上画面更新', refreshes })
  const remove = useAct(removeWall, { success: '已删除', refreshes })
  const query = { projectCode }
  const use = ({ size, cameras }: VideoWall) => {
    onUse({ size, ids: cameras })
    onClose()
  }
  const overwrite = ({ id, name, shared, version }: VideoWall) =>
    void change.afterRequesting(
      {
        thing: `用墙上画面更新布局 ${name}`,
        consequence: shared ? '本单位其他人下次选用时看到新的画面。' : '原来的画面不保留。',
        verb: '更新',
      },
      { params: { id }, query, body: { name, shared, version, size: now.size, cameras: [...now.ids] } },
    )
  return (
    <PageDrawer
      open
      size={480}
      title="视频墙布局"
      onClose={onClose}
      extra={
        may && (
          <Button type="primary" disabled={now.ids.length === 0} onClick={() => setSaving(true)}>
            保存墙上画面
          </Button>
        )
      }
    >
      {list.length === 0 ? (
        <Known of={all}>
          <Empty text="还没有保存的布局" hint="把摄像机放到墙上后保存，可仅自己用或本单位共用" />
        </Known>
      ) : (
        <ul className="lift-tests">
          {list.map((one) => (
            <li key={one.id}>
              {one.shared && <Tag tone="fine">共用</Tag>} {one.name}{' '}
              <Button size="small" onClick={() => use(one)}>
                选用
              </Button>{' '}
              {one.own && may && (
                <>
                  <Button size="small" disabled={now.ids.length === 0} onClick={() => overwrite(one)}>
                    更新
                  </Button>{' '}
                  <Button
                    size="small"
                    danger
                    onClick={() =>
                      void remove.afterRequesting(
                        { thing: `删除布局 ${one.name}`, consequence: one.shared ? '本单位其他人也不能再选用。' : '', verb: '删除' },
                        { params: { id: one.id }, query },
                      )
                    }
                  >
                    删除
                  </Button>
                </>
              )}
              <p className="zg-2">
                {one.size} 画面，{one.cameras.length} 路{one.own ? '' : `，${one.byName} 保存`}
              </p>
            </li>
          ))}
        </ul>
      )}
      {saving && <SaveForm projectCode={projectCode} now={now} onClose={() => setSaving(false)} />}
    </PageDrawer>
  )
}

function SaveForm({ projectCode, now, onClose }: { projectCode: string; now: Wall; onClose: () => void }) {
  const act = useAct(addWall, { success: '布局已保存', refreshes, onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="保存布局"
      remark={`${now.size} 画面，${now.ids.length} 路；每个项目最多 ${mostWalls} 个`}
      initial={{ shared: false }}
      input={(body: BodyOf<typeof addWall>) => ({
        query: { projectCode },
        body: { ...body, size: now.size, cameras: [...now.ids] },
      })}
      onClose={onClose}
    >
      <Field name="name" label="布局名称" required>
        <Input placeholder="如 大门与塔吊" />
      </Field>
      <Field name="shared" label="谁可以用" required>
        <Radio.Group
          options={[
            { value: false, label: '仅自己' },
            { value: true, label: '本单位共用' },
          ]}
        />
      </Field>
    </FormDrawer>
  )
}
