import { CameraOutlined, TagOutlined } from '@ant-design/icons'
import {
  addMark,
  attachMark,
  listMarks,
  markKinds,
  markList,
  removeMark,
  type VideoMark,
} from '@zhugong/contract/monitoring/video/video-marks'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { call, refresh, saveAddress, showFailure, useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { notify } from '#kit/notify.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { AttachMark } from './attach-mark.tsx'
import { keepPicture, NoPicture } from './picture.ts'

const { Field } = formOf(addMark, attachMark)

interface Camera {
  id: string
  name: string
  projectCode: string
}

/** Saves the current picture of a tile. Must be rendered inside the tile. */
export function SnapshotButton({ camera, at }: { camera: Camera; at?: () => number }) {
  const [running, setRunning] = useState(false)
  const take = async (tile: Element | null) => {
    setRunning(true)
    try {
      const moment = at?.()
      const photo = await keepPicture(tile, camera.name)
      await call(addMark, {
        query: { projectCode: camera.projectCode },
        body: { kind: 'snapshot', deviceId: camera.id, photo, ...(moment === undefined ? {} : { at: String(Math.round(moment)) }) },
      })
      refresh(listMarks)
      notify.success(`已抓拍 ${camera.name}，在“抓拍与书签”里查看`)
    } catch (error) {
      if (error instanceof NoPicture) notify.error(error.message)
      else showFailure(error)
    } finally {
      setRunning(false)
    }
  }
  return (
    <Can call={addMark}>
      <button
        type="button"
        className="zg-bare"
        disabled={running}
        aria-label={`抓拍 ${camera.name}`}
        title="抓拍"
        onClick={(event) => void take(event.currentTarget.closest('.vid-tile'))}
      >
        <CameraOutlined />
      </button>
    </Can>
  )
}

/** Saves a bookmark in a recording. */
export function BookmarkButton({ camera, at }: { camera: Camera; at: () => number }) {
  const [moment, setMoment] = useState<number>()
  const act = useAct(addMark, { success: '书签已保存', refreshes: [listMarks], onDone: () => setMoment(undefined) })
  return (
    <Can call={addMark}>
      <Button icon={<TagOutlined />} onClick={() => setMoment(Math.round(at()))}>
        加书签
      </Button>
      <FormDrawer
        open={moment !== undefined}
        narrow
        width={420}
        title="加书签"
        remark={moment === undefined ? camera.name : `${camera.name} ${time(moment)}`}
        act={act}
        initial={{}}
        input={(body: Values) => ({
          query: { projectCode: camera.projectCode },
          body: { ...body, kind: 'bookmark' as const, deviceId: camera.id, at: String(moment) },
        })}
        onClose={() => setMoment(undefined)}
      >
        <Field name="note" label="说明" required>
          <Input placeholder="如 渣土车未冲洗出场" />
        </Field>
      </FormDrawer>
    </Can>
  )
}

const kinds = Object.entries(markKinds).map(([value, label]) => ({ value, label }))

/** Saved pictures and bookmarks of a site's cameras, newest first. */
export function MarksDrawer({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const list = useListPage(markList, { scope: { projectCode }, inUrl: false, defaultSort: '-at' })
  const remove = useAct(removeMark, { success: '已删除', refreshes: [listMarks] })
  const [attached, setAttached] = useState<VideoMark>()
  const detach = useAct(attachMark, { success: '已从告警取下', refreshes: [listMarks] })
  const columns: ColumnOf<typeof markList>[] = [
    {
      key: 'photo',
      width: 104,
      value: (r) => (r.photo ? <Thumb src={r.photo} name={`${r.deviceName} ${time(r.at)}`} width={80} height={46} /> : null),
    },
    { key: 'kind', width: 76, filter: 'multi', options: kinds, value: (r) => <Tag>{markKinds[r.kind]}</Tag> },
    { key: 'at', width: 152, locked: true, sort: true, filter: 'date-range', value: (r) => time(r.at) },
    ...(projectCode === '*' ? [{ key: 'projectName' as const, width: 160, value: (r: VideoMark) => r.projectName }] : []),
    { key: 'deviceName', width: 120, filter: 'text', value: (r) => r.deviceName },
    { key: 'note', width: 160, wrap: true, value: (r) => r.note },
    { key: 'alarmLabel', width: 120, value: (r) => r.alarmLabel && <Tag tone="warning">{r.alarmLabel}</Tag> },
    { key: 'byName', width: 84, filter: 'text', value: (r) => r.byName },
    { key: 'byGroup', width: 140, hidden: true, value: (r) => r.byGroup },
    { key: 'createTime', width: 152, hidden: true, value: (r) => time(r.createTime) },
  ]
  return (
    <PageDrawer open size={900} title="抓拍与书签" onClose={onClose}>
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        emptyHint="在画面右上角点相机图标抓拍，在回放里加书签，都保存在这里"
        actions={(row) => [
          { label: '回放', href: hrefOf('/VideoPlayback', { deviceId: row.deviceId, time: String(row.at) }) },
          row.alarmId === null
            ? { label: '附到告警', needs: attachMark, onClick: () => setAttached(row) }
            : {
                label: '从告警取下',
                needs: attachMark,
                onClick: () =>
                  void detach.afterRequesting(
                    {
                      thing: `把 ${row.deviceName} ${time(row.at)} 从告警取下`,
                      consequence: '告警页上不再显示；抓拍或书签本身保留。',
                      verb: '取下',
                      keep: '保留',
                    },
                    { params: { id: row.id }, query: { projectCode: row.projectCode }, body: { alarmId: null } },
                  ),
              },
          row.photo !== null && {
            label: '下载',
            onClick: () => row.photo && saveAddress(row.photo, `${row.deviceName} ${time(row.at)}.jpg`),
          },
          row.own &&
            row.alarmId === null && {
              label: '删除',
              needs: removeMark,
              danger: true,
              onClick: () =>
                void remove.afterRequesting(
                  {
                    thing: `删除${markKinds[row.kind]} ${row.deviceName} ${time(row.at)}`,
                    consequence: '删除后不能恢复；录像不受影响。',
                    verb: '删除',
                    keep: '保留',
                  },
                  { params: { id: row.id }, query: { projectCode: row.projectCode } },
                ),
            },
        ]}
      />
      {attached && <AttachMark mark={attached} onClose={() => setAttached(undefined)} />}
    </PageDrawer>
  )
}
