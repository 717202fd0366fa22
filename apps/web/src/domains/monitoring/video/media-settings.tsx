import { checkGb, mediaAccount, setGbAccount, setMediaAccount } from '@zhugong/contract/monitoring/video/video'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Notice } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'

const { Field } = formOf(setGbAccount, setMediaAccount, checkGb)

const kinds = [
  { value: 'hls', label: 'HLS' },
  { value: 'flv', label: 'FLV' },
  { value: 'mp4', label: 'MP4' },
]
const states = [
  { value: '1', label: '启用' },
  { value: '0', label: '停用' },
]

/** Settings of the media server and of the GB/T 28181 server; for operators only. */
export function MediaSettings() {
  const may = useCan(setGbAccount)
  const [open, setOpen] = useState<'gb' | 'usual' | 'check'>()
  const account = useCall(mediaAccount, {}, { quiet: true, enabled: may })
  const gb = useAct(setGbAccount, { success: '已保存，新打开的画面经国标服务取流', refreshes: [mediaAccount] })
  const usual = useAct(setMediaAccount, { success: '已保存，新打开的画面按新地址取流', refreshes: [mediaAccount] })
  const [result, setResult] = useState<Checked>()
  const check = useAct(checkGb, { success: false, onDone: setResult })
  const { data } = account
  if (!may || !data) return null
  const close = () => setOpen(undefined)
  return (
    <>
      <Button onClick={() => setOpen('usual')}>流媒体服务</Button>
      <Button onClick={() => setOpen('gb')}>国标接入</Button>
      {data.gb.configured && <Button onClick={() => setOpen('check')}>接入检查</Button>}
      <FormDrawer
        open={open === 'gb'}
        narrow
        width={480}
        act={gb}
        title="国标接入（GB/T 28181）"
        remark="摄像机注册到信令服务，平台向它要播放地址"
        initial={{
          provider: data.gb.provider ?? '国标流媒体服务',
          baseUrl: data.gb.baseUrl ?? undefined,
          isOn: data.gb.configured && !data.gb.isOn ? '0' : '1',
        }}
        input={(body: BodyOf<typeof setGbAccount>) => ({ body })}
        onClose={close}
      >
        <Field name="provider" label="名称" required>
          <Input />
        </Field>
        <Field name="baseUrl" label="接口地址" required help="WVP-PRO 的 HTTP 接口；内网地址需由运维列入 OUTGOING_INSIDE">
          <Input placeholder="https://gb.example.com:18080" />
        </Field>
        <Field
          name="apiKey"
          label="接口密钥（api-key）"
          required={!data.gb.configured}
          help={data.gb.configured ? '不填则不变' : undefined}
        >
          <Input.Password autoComplete="new-password" />
        </Field>
        <Field name="isOn" label="状态" help="档案里有 20 位国标编号的摄像机经这里取流与转云台，其余用流媒体服务">
          <Choice clear={false} options={states} />
        </Field>
      </FormDrawer>
      <FormDrawer
        open={open === 'usual'}
        narrow
        width={480}
        act={usual}
        title="流媒体服务"
        remark={data.configured ? `当前 ${data.provider ?? ''}` : '尚未设置'}
        initial={{
          provider: data.provider ?? undefined,
          baseUrl: data.baseUrl ?? undefined,
          kind: data.kind ?? 'mp4',
          concurrent: data.concurrent,
        }}
        input={(body: BodyOf<typeof setMediaAccount>) => ({ body })}
        onClose={close}
      >
        <Field name="provider" label="名称" required>
          <Input />
        </Field>
        <Field name="baseUrl" label="地址" required>
          <Input placeholder="https://media.example.com" />
        </Field>
        <Field name="kind" label="码流类型" required>
          <Choice clear={false} options={kinds} />
        </Field>
        <Field name="secret" label="签名密钥" required help="至少 16 个字符，与流媒体服务一致">
          <Input.Password autoComplete="new-password" />
        </Field>
        <Field name="concurrent" label="每人同时路数">
          <NumberInput min={1} max={64} precision={0} />
        </Field>
      </FormDrawer>
      {open === 'check' && (
        <PageModal
          open
          title="国标接入检查"
          okText="开始检查"
          cancelText="关闭"
          okButtonProps={{ loading: check.running }}
          onOk={() => void check.run({})}
          onCancel={close}
        >
          <CheckResult result={result} />
        </PageModal>
      )}
    </>
  )
}

interface Checked {
  why: string | null
  devices: number
  online: number
  cameras: number
  known: number
  missing: readonly { name: string; projectName: string; gbDeviceId: string | null }[]
}

function CheckResult({ result }: { result: Checked | undefined }) {
  if (!result) return <p className="zg-2">向国标服务查询已注册的设备，并与各项目的摄像机档案核对</p>
  if (result.why !== null) return <Notice tone="danger">{result.why}</Notice>
  return (
    <>
      <Notice tone={result.missing.length > 0 ? 'warning' : 'fine'}>
        已注册 {result.devices} 台，在线 {result.online} 台；平台摄像机 {result.cameras} 台，对上 {result.known} 台
      </Notice>
      <ul>
        {result.missing.map((one) => (
          <li key={`${one.projectName} ${one.name}`}>
            {one.projectName} {one.name}：{one.gbDeviceId === null ? '没有国标编号' : `${one.gbDeviceId} 未注册`}
          </li>
        ))}
      </ul>
    </>
  )
}
