import { CheckCircleFilled, ClockCircleOutlined, CloseCircleFilled } from '@ant-design/icons'
import { Card } from '#kit/feedback.tsx'
import type { Device } from './device.ts'

const icons = {
  ok: <CheckCircleFilled className="tone-fine" aria-label="通过" />,
  bad: <CloseCircleFilled className="tone-danger" aria-label="未通过" />,
  waiting: <ClockCircleOutlined className="zg-2" aria-label="等待" />,
}

export function SelfCheck({ device }: { device: Device }) {
  return (
    <Card title="自检" remark="从连接到页面，逐步核对；先处理第一个红色">
      <ol className="eq-steps zg-bare-list">
        {device.selfCheck.map((step) => (
          <li key={step.key} className="zg-row zg-gap-12 zg-middle">
            {icons[step.state]}
            <b className="zg-w-96">{step.label}</b>
            <span className={step.state === 'bad' ? 'tone-danger' : 'zg-2'}>{step.text}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
