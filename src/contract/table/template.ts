export const TABLE_TEMPLATE = `link,name,caption,caption_2,track,start_seconds,end_seconds,watermark,format,sku
https://drive.google.com/file/d/FIRST-VIDEO/view,summer-shoes,New this summer,"Light, soft, fast",,0:02,0:17,@yourbrand,9:16,SH-1042
https://drive.google.com/file/d/SECOND-VIDEO/view,rain-jacket,Stay dry,,https://drive.google.com/file/d/MUSIC/view,,,,,JK-2210
`;
