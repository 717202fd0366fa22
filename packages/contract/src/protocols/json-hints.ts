/** Hints for protocols whose messages are JSON. */
export const jsonHints = {
  time: '时间缺失或不是有效日期，没有保存：time 应为 13 位毫秒时间戳，或带时区的 ISO 8601，如 2026-11-21T08:30:00+08:00',
  type: '数值类型不符，没有保存：数字不要加引号，布尔用 true、false',
  format: '内容不是约定的格式：应为 {"items":[{"time":…,"data":{…}}]}',
  tooLarge: '消息超过 256 KiB，没有保存：请分成几条发送，图片先上传文件再引用编号',
}
