import { Button } from 'antd'
import { useState } from 'react'
import { Card, Notice } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { Copyable } from './copyable.tsx'

export function PushKey({ id, pushSecret }: { id: string; pushSecret: string }) {
  const page = usePage()
  const [copied, setCopied] = useState(false)
  useUnsaved(!copied, page.cacheKey, '推送密钥（尚未复制）')
  return (
    <PageShell title="推送密钥">
      <div className="zg-stack-12 eq-secret">
        <Notice tone="warning">密钥只显示这一次，请交给对方平台；遗失后只能更换，更换后旧密钥立即失效。</Notice>
        <Card title="推送密钥">
          <Copyable text={pushSecret} label="复制密钥" onCopied={() => setCopied(true)} />
        </Card>
        <Card title="对方怎么推送">
          <PushGuide id={id} />
        </Card>
        <div>
          <Button type="primary" size="large" disabled={!copied} onClick={() => page.leave(hrefOf('/gatewayOther/details', { id }))}>
            已保存，去详情
          </Button>
        </div>
      </div>
    </PageShell>
  )
}

/** URL and format for the platform that pushes to us. */
export function PushGuide({ id }: { id: string }) {
  return (
    <dl className="eq-steps">
      <div>
        <dt>地址（POST，JSON，最大 1 MiB）</dt>
        <dd>
          <Copyable text={`${location.origin}/api/v1/open/dock/${id}`} />
        </dd>
      </div>
      <div>
        <dt>请求头 X-Timestamp</dt>
        <dd>毫秒时间戳，与平台相差不超过 5 分钟</dd>
      </div>
      <div>
        <dt>请求头 X-Sign</dt>
        <dd>以密钥对“时间戳 + 换行 + 请求体的 SHA-256（十六进制小写）”求 HMAC-SHA256，十六进制小写</dd>
      </div>
      <div>
        <dt>结果</dt>
        <dd>返回接收、重复与拒绝的条数，拒绝的逐条说明原因；同一条重复推送只存一次</dd>
      </div>
    </dl>
  )
}
